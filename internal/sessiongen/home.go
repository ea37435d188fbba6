package sessiongen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// places are where agents keep sessions below a home, by format.
var places = map[string]string{
	"claude-code": ".claude/projects/-home-dev-PROJECT/UUID.jsonl",
	"codex":       ".codex/sessions/2026/MONTH/DAY/rollout-2026-MONTH-DAYT09-00-00-UUID.jsonl",
	"pi":          ".pi/agent/sessions/--home-dev-PROJECT--/2026-MONTH-DAYT09-00-00-000Z_UUID.jsonl",
	"gemini":      ".gemini/tmp/PROJECT/chats/session-2026-MONTH-DAYT09-00-NUMBER.json",
}

// homeMix is how often each agent was used, in tenths.
var homeMix = []string{"claude-code", "claude-code", "claude-code", "claude-code", "codex", "codex", "codex", "pi", "pi", "gemini"}

// Home writes the stores of a user who has used several agents: so many sessions
// in a hundred projects, whose sizes are heavy-tailed and add up to about size
// bytes.
func Home(dir string, seed uint64, size int64, sessions int) error {
	rng := rand.New(rand.NewPCG(seed, 2))
	mean := float64(size) / float64(sessions)
	for i := range sessions {
		kind := homeMix[i%len(homeMix)]
		name := strings.NewReplacer(
			"PROJECT", fmt.Sprintf("project%02d", rng.IntN(100)),
			"UUID", fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", rng.Uint32(), rng.IntN(1<<16), rng.IntN(1<<12), rng.IntN(1<<12), rng.Int64N(1<<48)),
			"MONTH", fmt.Sprintf("%02d", 1+rng.IntN(12)),
			"DAY", fmt.Sprintf("%02d", 1+rng.IntN(28)),
			"NUMBER", fmt.Sprintf("%08x", i),
		).Replace(places[kind])
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := File(path, kind, seed+uint64(i)+1, int64(rng.ExpFloat64()*rng.ExpFloat64()*mean)); err != nil {
			return err
		}
	}
	return nil
}
