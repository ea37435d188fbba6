package docgen

import (
	"strings"
	"testing"
)

// TestRun runs the commands of a page.
func TestRun(t *testing.T) {
	const page = "Text.\n\n" +
		"```sh\n$ not run\n```\n\n" +
		"```console\n$ echo a > f; export X=1\n$ cat <<'END'\n> b\n> END\nold output\n$ mkdir d && cd d\n```\n" +
		"```diff ../f\n-a\n+c\n```\n```yaml x/y\nk: 1\n```\n<!-- sh\nS=1\nexport S\n-->\n" +
		"```console\n$ cat ../f x/y; echo $X$S; pwd\n$ cd; pwd; cd - > f\n$ false\n$ echo $?\n$ go nowhere\n```\nEnd.\n"
	const want = "Text.\n\n" +
		"```sh\n$ not run\n```\n\n" +
		"```console\n$ echo a > f; export X=1\n$ cat <<'END'\n> b\n> END\nb\n$ mkdir d && cd d\n```\n" +
		"```diff ../f\n-a\n+c\n```\n```yaml x/y\nk: 1\n```\n<!-- sh\nS=1\nexport S\n-->\n" +
		"```console\n$ cat ../f x/y; echo $X$S; pwd\nc\nk: 1\n11\nd\n$ cd; pwd; cd - > f\n~\n$ false\n$ echo $?\n1\n$ go nowhere\n```\nEnd.\n"
	got, err := run(root, trajmap(t), "page", page)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again, err := run(root, trajmap(t), "page", got); err != nil || again != got {
		t.Errorf("written again it differs: %v\n%s", err, again)
	}
}

// TestRunFails has pages that cannot be written.
func TestRunFails(t *testing.T) {
	for _, test := range []struct{ page, want string }{
		{"```console\n$ true\n$ ./trajmap check nothing.yaml\n```\n", "page: ./trajmap check nothing.yaml\n: exit status 1"},
		{"```console\n$ exit 0\n```\n", "did not come to its end"},
		{"```console\n$ true\n", "a block of type console is not closed"},
		{"```console\nhello\n```\n", "a console block has no command"},
		{"```console\n$ echo a > f\n```\n```diff f\n-b\n+c\n```\n", "there 0 times"},
		{"```console\n$ yes | head -n 2 > f\n```\n```diff f\n-y\n+c\n```\n", "there 2 times"},
		{"<!-- sh\necho a\n-->\n", "a hidden command says something"},
		{"<!-- sh\necho a\n", "not closed"},
		{"```diff nothing\n-b\n+c\n```\n", "no such file"},
	} {
		if _, err := run(root, trajmap(t), "page", test.page); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.page, err, test.want)
		}
	}
}
