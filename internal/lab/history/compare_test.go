package history

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// conversation has an entry of each kind, twice.
var conversation = []Entry{
	{Kind: User, Text: "List the files."},
	{Kind: Assistant, Text: "I look."},
	{Kind: Call, ID: "a", Name: "ls", Args: `{"n":1,"deep":{"list":[1,"x",null,true]}}`},
	{Kind: Call, ID: "b", Name: "cat", Args: `{"big":9007199254740993}`},
	{Kind: Result, ID: "a", Text: "one\ntwo"},
	{Kind: Result, ID: "b", Text: ""},
	{Kind: Assistant, Text: "Two."},
	{Kind: User, Text: "Go on."},
}

func TestCompareEqual(t *testing.T) {
	for name, c := range map[string]struct {
		rules Rules
		want  []Entry
		got   []Entry
	}{
		"the same":             {want: conversation, got: conversation},
		"nothing":              {},
		"arguments reordered":  {want: calls(`{"a":1,"b":[1,2]}`), got: calls(` {"b":[1,2], "a":1} `)},
		"numbers respelled":    {want: calls(`{"a":1.0,"b":1e21}`), got: calls(`{"a":1,"b":1000000000000000000000}`)},
		"doubles":              {Rules{Doubles: true}, calls(`{"a":9007199254740993}`), calls(`{"a":9007199254740992}`)},
		"parted":               {want: texts(User, "a\n\nb"), got: texts(User, "a", "b")},
		"joined":               {want: texts(Assistant, "a", "b"), got: texts(Assistant, "a\n\nb")},
		"of nothing":           {want: texts(User, "a"), got: texts(User, "", "a")},
		"trimmed":              {Rules{Trim: true}, texts(User, " a\n", "b"), texts(User, "a", "\nb")},
		"blank result":         {Rules{Blank: "(none)"}, texts(Result, " \n"), texts(Result, "(none)")},
		"blank result as is":   {Rules{Blank: "(none)"}, texts(Result, ""), texts(Result, "")},
		"reminder in front":    {want: texts(User, "a"), got: texts(User, "<system-reminder>\nx\n</system-reminder>\n\na")},
		"reminder of its own":  {want: texts(User, "a"), got: texts(User, "<system-reminder>x</system-reminder>", "a")},
		"reminders":            {want: texts(User, "a"), got: texts(User, "<system-reminder>x</system-reminder>\n<user_info>y</user_info>\na")},
		"reminder behind":      {want: texts(Result, "a"), got: texts(Result, "a\n\n<system-reminder>x</system-reminder>\n")},
		"said so":              {want: texts(User, "<system-reminder>x</system-reminder>"), got: texts(User, "<user_info>y</user_info>", "<system-reminder>x</system-reminder>")},
		"given so":             {want: texts(Result, "a\n\n<system-reminder>x</system-reminder>"), got: texts(Result, "a\n\n<system-reminder>x</system-reminder>")},
		"wrapped":              {want: texts(User, "a\nb"), got: texts(User, "<user_query>\na\nb\n</user_query>")},
		"wrapped with a mode":  {want: texts(User, "a"), got: texts(User, `<user_input mode="act">a</user_input>`)},
		"wrapped lines":        {want: texts(User, "\na\n"), got: texts(User, "<user_query>\n\na\n\n</user_query>")},
		"date in front":        {want: texts(User, "a"), got: texts(User, "<current_datetime>now</current_datetime>\n\na")},
		"a tag left open":      {want: texts(User, "<user_info>a"), got: texts(User, "<user_info>a")},
		"another tag":          {want: texts(User, "<user_infos>a</user_infos>"), got: texts(User, "<user_infos>a</user_infos>")},
		"a wrapper left open":  {want: texts(User, "<user_query>a"), got: texts(User, "<user_query>a")},
		"surroundings in none": {want: texts(User, "a"), got: texts(User, "a", "<environment_context>\n<cwd>x</cwd>\n</environment_context>")},
	} {
		if err := Compare(c.want, c.got, c.rules); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func calls(args string) []Entry { return []Entry{{Kind: Call, ID: "a", Name: "f", Args: args}} }

func texts(kind Kind, list ...string) []Entry {
	var out []Entry
	for _, s := range list {
		out = append(out, Entry{Kind: kind, Text: s})
	}
	return out
}

func TestCompareDifferent(t *testing.T) {
	for name, c := range map[string]struct {
		want, got []Entry
		at        int
		what      string
	}{
		"empty":               {conversation, nil, 1, "user is missing, and what follows: 0 of 8 came"},
		"too many":            {conversation, append(slices.Clone(conversation), texts(Assistant, "More.")...), 9, "one assistant too many, of 9"},
		"cut result":          {texts(Result, strings.Repeat("x", 60003)), texts(Result, strings.Repeat("x", 7999)), 1, "text of a result differs: 60003 bytes, 7999 came"},
		"blank result":        {texts(Result, ""), texts(Result, "(none)"), 1, "text of a result differs: 0 bytes, 6 came"},
		"white space":         {texts(User, " a"), texts(User, "a"), 1, "text of a user differs: 2 bytes, 1 came"},
		"number":              {calls(`{"a":9007199254740993}`), calls(`{"a":9007199254740992}`), 1, "arguments of a call: other values"},
		"arguments in a text": {calls(`{"a":1}`), calls(`"{\"a\":1}"`), 1, "arguments of a call: other values"},
		"more arguments":      {calls(`{}`), calls(`{"a":1}`), 1, "arguments of a call: other values"},
		"order of a list":     {calls(`{"a":[1,2]}`), calls(`{"a":[2,1]}`), 1, "arguments of a call: other values"},
		"no JSON":             {calls(`{}`), calls(`{} {}`), 1, "arguments of a call: those that came are no JSON"},
		"id":                  {calls(`{}`), []Entry{{Kind: Call, ID: "b", Name: "f", Args: "{}"}}, 1, `another id of a call: "a" became "b"`},
		"name":                {calls(`{}`), []Entry{{Kind: Call, ID: "a", Name: "g", Args: "{}"}}, 1, `another name of a call: "f" became "g"`},
		"said by another":     {texts(User, "a"), texts(Assistant, "a"), 1, "user became assistant"},
		"reminder in it":      {texts(User, "a"), texts(User, "a <system-reminder>x</system-reminder>"), 1, "text of a user differs: 1 bytes, 38 came"},
	} {
		err := Compare(c.want, c.got, Rules{})
		d, ok := err.(*Difference)
		if !ok {
			t.Errorf("%s: got %v, want a difference", name, err)
		} else if d.At != c.at || d.What != c.what {
			t.Errorf("%s: got %d, %s; want %d, %s", name, d.At, d.What, c.at, c.what)
		}
	}
}

// TestComparerCanFail changes one thing at a time: nothing may pass.
func TestComparerCanFail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := slices.Clone(conversation)
		i := rapid.IntRange(0, len(got)-1).Draw(t, "entry")
		rules := Rules{Trim: rapid.Bool().Draw(t, "trim"), Doubles: rapid.Bool().Draw(t, "doubles")}
		e := &got[i]
		switch rapid.IntRange(0, 4).Draw(t, "change") {
		case 0:
			got = slices.Delete(got, i, i+1)
		case 1:
			got = slices.Insert(got, i, Entry{Kind: Result, ID: "c"})
		case 2:
			e.Text += rapid.StringMatching(`[a-z]+`).Draw(t, "more")
		case 3:
			e.ID += "x"
			if e.Kind&(Call|Result) == 0 {
				e.Kind ^= User | Assistant
			}
		case 4:
			switch e.Kind {
			case Call:
				e.Args = strings.Replace(e.Args, "1", "2", 1)
				e.Args = strings.Replace(e.Args, "9", "8", 1)
			default:
				e.Text += "."
			}
		}
		if e.Kind == Call && e.Text != "" {
			return // calls have no text: nothing was changed
		}
		if Compare(conversation, got, rules) == nil {
			t.Fatalf("passes: %v", got)
		}
	})
}

func TestDifferenceNearby(t *testing.T) {
	err := Compare(texts(User, strings.Repeat("é", 100)+"x"), texts(User, strings.Repeat("é", 100)+"y"), Rules{})
	if got := err.Error(); !strings.Contains(got, `"éééééééééé`) || !strings.Contains(got, "at byte 200") {
		t.Errorf("got %s", got)
	}
}

func TestOnly(t *testing.T) {
	if got := Only(conversation, Call|Result); len(got) != 4 || got[0].Kind != Call || got[3].Kind != Result {
		t.Errorf("got %v", got)
	}
}

func TestGathered(t *testing.T) {
	call := func(id string) Entry { return Entry{Kind: Call, ID: id, Name: "f", Args: "{}"} }
	result := func(id string) Entry { return Entry{Kind: Result, ID: id} }
	got := Gathered([]Entry{call("a"), result("a"), {Kind: Assistant}, call("b"), result("b"), {Kind: Assistant, Text: "Done."}, result("c")})
	var shape string
	for _, e := range got {
		shape += string("?ua?c???r"[e.Kind]) + e.ID + e.Name + " "
	}
	if want := "ca cb ra rb a rc "; shape != want {
		t.Errorf("got %q, want %q", shape, want)
	}
}

// TestOutcome sees a call that went otherwise, where both sides say how.
func TestOutcome(t *testing.T) {
	yes, no := true, false
	given := func(ok *bool) []Entry { return []Entry{{Kind: Result, ID: "a", Text: "x", OK: ok}} }
	for _, c := range []struct {
		want, got *bool
		same      bool
	}{{&yes, &yes, true}, {&yes, nil, true}, {nil, &no, true}, {&yes, &no, false}, {&no, &yes, false}} {
		if err := Compare(given(c.want), given(c.got), Rules{}); (err == nil) != c.same {
			t.Errorf("got %v", err)
		}
	}
}
