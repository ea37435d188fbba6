package sessiongen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// story produces one endless, format-neutral conversation. Every harness
// format renders the same stream, so that equal seeds hold equal content.
type story struct {
	rng   *rand.Rand
	clock time.Time
	cwd   string
	turns int
}

type turn struct {
	at     time.Time
	prompt string
	noise  bool // a harness-made pseudo prompt precedes this turn
	steps  []step
	final  string
	end    time.Time
}

// step is one model reply: optional reasoning and prose, then tool calls.
type step struct {
	at        time.Time
	model     string
	thinking  string
	text      string
	calls     []call
	sidechain bool // done by a subagent
}

type call struct {
	id     string
	tool   string // shell, read, edit, grep
	args   map[string]string
	output string
	ok     bool
	at     time.Time // when the result came
}

const maxOutput = 200_000

func newStory(seed uint64) *story {
	rng := rand.New(rand.NewPCG(seed, 0x7261_6a6d_6170))
	project := words[rng.IntN(len(words))]
	return &story{
		rng:   rng,
		clock: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(rng.IntN(10_000_000)) * time.Second),
		cwd:   "/home/dev/" + project,
	}
}

func (s *story) tick(maxSeconds float64) time.Time {
	s.clock = s.clock.Add(time.Duration(1+s.rng.Int64N(int64(maxSeconds*1000))) * time.Millisecond)
	return s.clock
}

func (s *story) chance(p float64) bool { return s.rng.Float64() < p }

// heavy draws from a Pareto distribution bounded to [low, high].
func (s *story) heavy(alpha, low, high float64) int {
	u := s.rng.Float64()
	r := math.Pow(low/high, alpha)
	return int(low * math.Pow(1-u*(1-r), -1/alpha))
}

func (s *story) next() turn {
	s.turns++
	t := turn{at: s.tick(600), noise: s.chance(0.05)}
	t.prompt = s.prose(s.heavy(1.2, 40, 20_000))
	for range 1 + s.rng.IntN(8) {
		t.steps = append(t.steps, s.step())
	}
	t.final = s.prose(s.heavy(1.5, 200, 8_000))
	t.end = s.tick(20)
	return t
}

func (s *story) step() step {
	st := step{at: s.tick(15), model: "model-large-1", sidechain: s.chance(0.04)}
	if s.chance(0.1) {
		st.model = "model-small-1"
	}
	if s.chance(0.5) {
		st.thinking = s.prose(s.heavy(1.3, 150, 10_000))
	}
	if s.chance(0.4) {
		st.text = s.prose(s.heavy(1.5, 60, 4_000))
	}
	calls := 1
	if s.chance(0.2) {
		calls += 1 + s.rng.IntN(3)
	}
	for range calls {
		st.calls = append(st.calls, s.call())
	}
	return st
}

func (s *story) call() call {
	c := call{id: s.token(24), ok: !s.chance(0.07), at: s.tick(30)}
	path := s.cwd + "/" + s.word() + "/" + s.word() + ".go"
	switch r := s.rng.Float64(); {
	case r < 0.45:
		c.tool = "shell"
		c.args = map[string]string{"command": "cd " + s.cwd + " && go test ./" + s.word() + "/... 2>&1 | tail -50", "description": s.sentence()}
		c.output = s.listing(s.heavy(0.8, 300, maxOutput))
	case r < 0.75:
		c.tool = "read"
		c.args = map[string]string{"path": path}
		c.output = s.code(s.heavy(0.8, 400, maxOutput), true)
	case r < 0.90:
		c.tool = "edit"
		c.args = map[string]string{"path": path, "old": s.code(s.heavy(1.2, 80, 8_000), false), "new": s.code(s.heavy(1.2, 100, 30_000), false)}
		c.output = "The file " + path + " has been updated."
	default:
		c.tool = "grep"
		c.args = map[string]string{"pattern": s.word() + `\s*\(`, "path": s.cwd}
		c.output = s.listing(s.heavy(0.9, 100, 50_000))
	}
	return c
}

var words = strings.Fields(`parser retry buffer session record canonical index token window stream engine mapping
field cursor store branch commit review worker queue cache schema value error result config server client request
reply header footer table column search filter update delete insert merge split order group batch trace event state`)

// exotic tails make about one text in ten hold characters that JSON escapes or
// that take several UTF-8 bytes.
var exotic = []string{" naïve café", " 你好，世界", " 🚀✅", " \"quoted\" and \\escaped\\", " Ελληνικά", " «русский»", " tab\there"}

func (s *story) word() string { return words[s.rng.IntN(len(words))] }

func (s *story) sentence() string {
	var b strings.Builder
	for i := range 4 + s.rng.IntN(9) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.word())
	}
	if s.chance(0.1) {
		b.WriteString(exotic[s.rng.IntN(len(exotic))])
	}
	b.WriteByte('.')
	return b.String()
}

func (s *story) prose(size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(s.sentence())
		if s.chance(0.2) {
			b.WriteString("\n\n")
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.TrimSpace(b.String())
}

func (s *story) code(size int, numbered bool) string {
	var b strings.Builder
	for line := 1; b.Len() < size; line++ {
		if numbered {
			fmt.Fprintf(&b, "%6d\t", line)
		}
		b.WriteString(strings.Repeat("\t", s.rng.IntN(4)))
		switch s.rng.IntN(5) {
		case 0:
			b.WriteString("if err := " + s.word() + "." + s.word() + "(ctx, \"" + s.word() + "\"); err != nil {")
		case 1:
			b.WriteString("// " + s.sentence())
		case 2:
			b.WriteString("}")
		case 3:
			b.WriteString("return fmt.Errorf(\"" + s.word() + " <%s>: %w\", " + s.word() + ", err)")
		default:
			b.WriteString(s.word() + " := map[string]int{\"" + s.word() + "\": " + fmt.Sprint(s.rng.IntN(1000)) + "}")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (s *story) listing(size int) string {
	var b strings.Builder
	colour := s.chance(0.2)
	for b.Len() < size {
		if colour && s.chance(0.3) {
			b.WriteString("\x1b[32mok\x1b[0m  ")
		}
		fmt.Fprintf(&b, "./%s/%s_test.go:%d: %s (%.2fs)\n", s.word(), s.word(), s.rng.IntN(2000), s.sentence(), s.rng.Float64()*9)
	}
	return b.String()
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func (s *story) token(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[s.rng.IntN(len(alphabet))]
	}
	return string(b)
}

func (s *story) hex(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "0123456789abcdef"[s.rng.IntN(16)]
	}
	return string(b)
}

func (s *story) uuid() string {
	h := s.hex(30)
	return h[:8] + "-" + h[8:12] + "-4" + h[12:15] + "-a" + h[15:18] + "-" + h[18:30]
}
