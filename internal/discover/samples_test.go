package discover

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// samples are sessions that the real programs left behind, in their stores.
const samples = "../../../shared/samples"

// TestRealStores lists stores as the programs leave them: the sessions with
// their titles, and those that worked for another one.
func TestRealStores(t *testing.T) {
	if _, err := os.Stat(samples); err != nil {
		t.Skip("without the samples: ", err)
	}
	const t1 = "List the files, then read notes.txt and config.json. [[t1]]"
	for _, test := range []struct {
		harness, home string
		env           map[string]string // variables, as paths below the samples
		want          []string          // id, title, parent; the newest first
	}{
		{harness: "claude-code", home: "claude-code/main", want: []string{"e00cb351-de06-4227-a316-beb68d383adf " + t1}},
		// Of 1.0.128 there is a second file, which holds nothing but a summary.
		{harness: "claude-code", home: "claude-code/v1.0.128", want: []string{"1702aa20-edc7-485b-8aad-c63cf5c5810c " + t1}},
		{harness: "claude-code", home: "claude-code/edge", want: []string{
			"11111111-2222-4333-8444-666666666666 Wait a minute. [[int]]",
			"11111111-2222-4333-8444-555555555555 Wait a minute. [[int]]",
			"d45bd2cd-0f40-4765-87c8-e04d407397b0 Edit notes.txt. [[edit]]",
			"95015be2-c725-4569-aec0-0384a61eed22 Edit notes.txt. [[edit]]",
			"5acad607-944b-4269-9b8c-e2e83dfcaaa9 Call a tool that does not exist. [[bad]]",
			"00a5a2b4-9c9b-4bbd-9827-2b3ec9450343 Print 1 to 20000. [[big]]",
			"e1f2c038-51ce-4274-b13a-65175aa828cc [image] What is in this picture? [[after]]",
			"a7ac3caa-c7b3-4820-b8f1-02218a551fab Look at dot.png. [[img]]",
			"cc19e7ba-125d-407d-96f1-301abeb08846 Delegate the count. [[sub]]",
			"a46ad939149258ba7 Count the lines of notes.txt. [[subtask]] < cc19e7ba-125d-407d-96f1-301abeb08846",
			"163429fb-715d-4edd-b4ec-a6628708c411 List the files. [[t1]]",
			"2150b5d1-db35-4b62-8809-581462adfbff Fail please. [[err]]",
			"fa563c9a-130b-4b64-84ff-f7366771c286 Write denied.txt. [[deny]]",
		}},
		{harness: "codex", home: "codex/main", want: []string{"01a22bfd-ce3c-7a10-8431-dc32819ece13 " + t1}},
		{harness: "codex", home: "codex/v0.21.0-flat", want: []string{"28eb06b5-4c46-4013-b891-c68fec6e71b8 " + t1}},
		{harness: "codex", home: "codex/fork", want: []string{
			"01a22bfe-7d34-7012-9f19-bb3cc94c4b68 Go on in a fork. [[fork]]",
			"01a22bfd-ce3c-7a10-8431-dc32819ece13 " + t1,
		}},
		{harness: "codex", home: "codex/sub", want: []string{
			"01a22c01-bf70-7ef1-a0b3-88fe38a48b17 Use a subagent. [[sub]]",
			"01a22c01-c38a-7d63-a159-e3e91dc4792b Say hello. [[child]] < 01a22c01-bf70-7ef1-a0b3-88fe38a48b17",
		}},
		{harness: "pi", env: map[string]string{"PI_CODING_AGENT_DIR": "pi/agent"}, want: []string{"01a22bec-cafc-7179-8f5d-0c3eff103efe " + t1}},
		{harness: "pi", env: map[string]string{"PI_CODING_AGENT_SESSION_DIR": "pi/extra/branch"}, want: []string{
			"01a22bf6-371d-71fc-84b4-5b42bf5a061e First question. [[b0]]", "01a22bf6-13bd-71fc-84b4-5b3e6d6e568b Branch sample"}},
		{harness: "omp", env: map[string]string{"PI_CODING_AGENT_DIR": "omp/agent"}, want: []string{"01a22bf2-36ed-73dc-812d-ff8627a669eb " + t1}},
		{harness: "copilot", home: "copilot/main", want: []string{"67cf6c5c-9234-48ca-a126-bbec2dacb0d7 " + t1}},
		{harness: "copilot", home: "copilot/extras", want: []string{
			"00000001-aaaa-4000-8000-000000000006 Remember: alpha and beta. [[c1]]",
			"00000001-aaaa-4000-8000-000000000005 Wait a minute. [[hang]]",
			"00000001-aaaa-4000-8000-000000000004 Ask a helper to count. [[sub]]",
			"00000001-aaaa-4000-8000-000000000003 Delete notes.txt. [[deny]]",
			"00000001-aaaa-4000-8000-000000000002 Fail please. [[err]]",
			"00000001-aaaa-4000-8000-000000000001 What is in this image? [[img]]",
		}},
		{harness: "cline", home: "cline/t3", want: []string{"1796033310912_jmnbx " + t1}},
		{harness: "cline", home: "cline/subagent", want: []string{
			"1796034320225_egZjB_cli Use a subagent. [[sub]]",
			"1796034320225_egZjB_cli__agent_1796034323215_jekyye Use a subagent. [[sub]] < 1796034320225_egZjB_cli",
		}},
		{harness: "gemini-cli", home: "gemini-cli/v0.25.0-after-t2", want: []string{"1c10312a-0da8-41f7-8bcd-f68e2a4c78bd " + t1}},
		// Beside it are the files of two resumes, in which nothing was said.
		{harness: "gemini-cli", home: "gemini-cli/main-after-t3", want: []string{"de06ba1f-d893-4b1f-b797-9f1f3c26afd8 " + t1}},
		{harness: "gemini-cli", home: "gemini-cli/main-after-list"},
		{harness: "fx", home: "fx/schema2", want: []string{"trajmap-schema2 Show me around"}},
		{harness: "droid", home: "droid", want: []string{
			"2a71a2ac-0fc9-4c6e-a0f2-491a4c39f752 Cause an error. [[err]]",
			"8770f141-9b21-4bfd-8508-9c4eeb9ed724 " + t1,
			"ae7b34df-d46b-4e84-af8d-ec91884f6356 " + t1,
			"2c0efeb7-e076-44c8-92e0-eeade16f7711 " + t1,
		}},
		{harness: "openhands", home: "openhands", want: []string{"3b0d1f6e-9a7c-4c52-b1d0-e8f7a6c5b4d3 " + t1}},
		{harness: "grok", home: "grok/main", want: []string{"01a22bff-1d30-7aa2-8946-09815dbee6c4 greeting.txt is written; missing.txt does not exist. «naïve café — 你好"}},
		{harness: "kimi", home: "kimi/kimi-cli", want: []string{"7c1e5a44-0b1f-4d7e-9a55-3f0c2b9d8e61 " + t1}},
		{harness: "kimi", home: "kimi/kimi-code", want: []string{
			"session_ee62b179-9914-4dda-9653-fa976eec302a Cause an error. [[err]]",
			"session_ca5f3bfc-0be7-4e4d-a705-f6155a0bf254 Delegate the reading of notes.txt. [[sub]]",
			"session_ca5f3bfc-0be7-4e4d-a705-f6155a0bf254/agent-0 <git-context status=\"unavailable\" reason=\"not-a-repo\"/> Read notes.txt and report. [[subx]] < session_ca5f3bfc-0be7-4e4d-a705-f6155a0bf254",
			"session_125719ee-aa0d-4b12-9781-10902ed7d729 " + t1,
			"session_66df12f6-cc5d-4998-af47-217bb14ed552 Fork: session_125719ee-aa0d-4b12-9781-10902ed7d729",
		}},
		{harness: "letta-code", home: "letta-code", want: []string{"agent-local-f15d58b6-2e17-4ffe-953e-838a8bb61979/default " + t1}},
		{harness: "fx", home: "fx/schema4", want: []string{"trajmap-schema4 " + t1, "trajmap-schema4-hazards Hazards"}},
		{harness: "hermes", home: "hermes", want: []string{
			"20261005_103000_1d1e55 Id-less calls", "20261005_100000_1mage0 Image", "20261005_093000_c0ffef Long chat #2",
			"20261005_090000_c0ffee Long chat", "20261005_080000_a1b2c3 List the files",
		}},
		{harness: "openclaw", env: map[string]string{"OPENCLAW_STATE_DIR": "openclaw/sqlite-2026.9.6"}, want: []string{"a434cc95-eed6-4ded-823d-3cc2d5479de3 " + t1}},
		{harness: "openclaw", env: map[string]string{"OPENCLAW_STATE_DIR": "openclaw/jsonl-2026.6.6"}, want: []string{"b1de057f-d684-4283-a8ee-4c6a5e738856 " + t1}},
		{harness: "opencode", home: "opencode/main", want: []string{"ses_dd4142b37ffe8DOPBOvsfNXDmf Shared scenario"}},
		{harness: "opencode", home: "opencode/legacy-1.1.65", want: []string{"ses_dd3ef9d5bffeoCjCIEIHd97ayw Shared scenario"}},
		{harness: "opencode", home: "opencode/extras", want: []string{
			"ses_dd3f08696ffedLQr24sTNhs7my User shell",
			"ses_dd3f0b7d8ffeCokTd99q13fA1t Interrupted",
			"ses_dd3f110b2ffeFbDPIPRUOS6Scs Subagent",
			"ses_dd3f10129ffeigLSK5GUqomhRO Count files (@general subagent) < ses_dd3f110b2ffeFbDPIPRUOS6Scs",
			"ses_dd3f152beffe4mpUabhOOSh4Kt Denied",
			"ses_dd3f16f59ffetBv4Pcwx1QFsDH Provider error",
			"ses_dd3f1830affeD7orqVChdsqq0y Image",
			"ses_dd3f18f95ffezPipmzz4eXnbfZ Fork source (fork #1)",
			"ses_dd3f1a481ffeZOj2lPhb44m35V Fork source",
			"ses_dd3f2322dffeq7xGoeqYQpwd18 Rewind",
			"ses_dd3f419e2ffe5UZeDzvb712yaj Compaction",
		}},
		{harness: "cursor", home: "cursor/full", want: []string{"5b8e6f0a-1c2d-4e3f-8a9b-0c1d2e3f4a5b List the files"}},
		{harness: "cursor", home: "cursor/transcript", want: []string{"5b8e6f0a-1c2d-4e3f-8a9b-0c1d2e3f4a5b " + t1}},
	} {
		name := test.harness + " " + test.home
		for _, path := range test.env {
			name += path
		}
		t.Run(name, func(t *testing.T) {
			places := Below(filepath.Join(samples, test.home))
			if test.env != nil {
				places.Getenv = func(name string) string {
					if path := test.env[name]; path != "" {
						return filepath.Join(samples, path)
					}
					return ""
				}
			}
			l, err := Scan(t.Context(), mappings(t, test.harness), places, nil)
			if err != nil {
				t.Fatal(err)
			}
			sessions := all(t, l)
			if !slices.IsSortedFunc(sessions, func(a, b Session) int { return b.Updated.Compare(a.Updated) }) {
				t.Error("the newest is not the first")
			}
			var got []string
			for _, s := range sessions {
				line := s.ID + " " + s.Title
				if s.Parent != "" {
					line += " < " + s.Parent
				}
				got = append(got, line)
				if s.Cwd != "" && s.Cwd != "/home/dev/project" {
					t.Errorf("%s: the folder is %s", s.ID, s.Cwd)
				}
			}
			noProblems(t, l)
			if diff := gocmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRealStoresUntouched reads stores without changing a file or leaving one.
func TestRealStoresUntouched(t *testing.T) {
	if _, err := os.Stat(samples); err != nil {
		t.Skip("without the samples: ", err)
	}
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Join(samples, "cursor/full"))); err != nil {
		t.Fatal(err)
	}
	before := stateOf(t, home)
	all(t, scan(t, home, mappings(t, "cursor")...))
	if diff := gocmp.Diff(before, stateOf(t, home)); diff != "" {
		t.Errorf("the store changed (-before +after):\n%s", diff)
	}
}

// stateOf is what files there are, how long, and when they were changed.
func stateOf(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		list = append(list, strings.Join([]string{path, info.Mode().String(), info.ModTime().String()}, " "))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// TestConstructedStore lists threads of a store that was made as Deep Agents makes
// it, in the places of two generations.
func TestConstructedStore(t *testing.T) {
	const store = samples + "/deepagents/constructed-sessions.db"
	text, err := os.ReadFile(store)
	if err != nil {
		t.Skip("without the samples: ", err)
	}
	for _, place := range []string{".deepagents/.state/sessions.db", ".deepagents/sessions.db"} {
		home := t.TempDir()
		put(t, filepath.Join(home, filepath.FromSlash(place)), string(text))
		l := scan(t, home, mappings(t, "deepagents")...)
		var got []string
		for _, s := range all(t, l) {
			got = append(got, s.ID+" "+s.Title+" "+s.Cwd)
		}
		want := []string{
			"01a0c453-7940-7123-8000-000000000003 Summary of the earlier conversation ",
			"01a0c451-f2a0-7123-8000-000000000002 First question /home/dev/project",
			"01a0c450-6c00-7123-8000-000000000001 List the files, then read notes.txt and config.json. [[t1]] /home/dev/project",
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", place, diff)
		}
		noProblems(t, l)
	}
}
