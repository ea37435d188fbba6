package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCmd prints a completion script, made from the same grammar that the
// command line is parsed with.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help says how the script is used.
func (*completionCmd) Help() string {
	return "Load it from your shell's start-up file: 'source <(trajmap completion bash)', 'source <(trajmap completion zsh)' after compinit, 'trajmap completion fish | source'."
}

// Run prints the script.
func (c *completionCmd) Run(w *World, k *kong.Kong) error {
	out := bufio.NewWriter(w.Stdout)
	s := script{out, k.Model.Leaves(true)}
	switch c.Shell {
	case "bash":
		s.bash()
	case "zsh":
		s.zsh()
	case "fish":
		s.fish()
	}
	return out.Flush()
}

// script writes completion for the commands there are.
type script struct {
	io.Writer
	commands []*kong.Node
}

func (s script) printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// names prints the mappings' names in every shell.
const names = `trajmap mappings 2>/dev/null | awk 'NR > 1 { print $1 }'`

func (s script) bash() {
	var all []string
	for _, c := range s.commands {
		all = append(all, c.Name)
	}
	s.printf(`_trajmap() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= n=0 i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      -*) ;;
      *) if [[ -z $cmd ]]; then cmd=${COMP_WORDS[i]}; else ((n++)); fi ;;
    esac
  done
  COMPREPLY=()
  if [[ -z $cmd ]]; then
    COMPREPLY=($(compgen -W "%s --help" -- "$cur"))
    return
  fi
  case $cmd,$prev in
`, strings.Join(all, " "))
	for _, c := range s.commands {
		for _, f := range flagsOf(c) {
			if f.IsBool() {
				continue
			}
			pattern := c.Name + ",--" + f.Name
			if f.Short != 0 {
				pattern += "|" + c.Name + ",-" + string(f.Short)
			}
			reply := ":" // nothing of our own: the shell offers files
			if words := valuesOf(f.Value); words != nil {
				reply = `COMPREPLY=($(compgen -W "` + strings.Join(words, " ") + `" -- "$cur"))`
			}
			s.printf("    %s) %s; return ;;\n", pattern, reply)
		}
	}
	s.printf("  esac\n  case $cmd,$cur in\n")
	for _, c := range s.commands {
		var flags []string
		for _, f := range flagsOf(c) {
			flags = append(flags, "--"+f.Name)
		}
		s.printf("    %s,-*) COMPREPLY=($(compgen -W \"%s\" -- \"$cur\")); return ;;\n", c.Name, strings.Join(flags, " "))
	}
	s.printf("  esac\n  case $cmd,$n in\n")
	for _, c := range s.commands {
		for n, p := range c.Positional {
			switch words := valuesOf(p); {
			case words != nil:
				s.printf("    %s,%d) COMPREPLY=($(compgen -W \"%s\" -- \"$cur\")) ;;\n", c.Name, n, strings.Join(words, " "))
			case p.Name == "mapping":
				extra := ""
				if strings.Contains(p.Help, auto) {
					extra = auto + " "
				}
				s.printf("    %s,%s) COMPREPLY=($(compgen -W \"%s$(%s)\" -- \"$cur\") $(compgen -f -- \"$cur\")) ;;\n",
					c.Name, position(p, n), extra, names)
			}
		}
	}
	s.printf("  esac\n}\ncomplete -o default -F _trajmap trajmap\n")
}

// position is the pattern of the places that a positional argument may have.
func position(p *kong.Value, n int) string {
	if p.IsCumulative() {
		return "*"
	}
	return fmt.Sprint(n)
}

func (s script) zsh() {
	s.printf(`#compdef trajmap
_trajmap_mappings() {
  local -a names
  names=(${(f)"$(%s)"})
  _alternative 'mappings:mapping:compadd -a names' 'files:file:_files -g "*.(yaml|yml)"'
}
_trajmap() {
  local -a commands
  commands=(
`, names)
	for _, c := range s.commands {
		s.printf("    %s\n", quoteShell(c.Name+":"+c.Help))
	}
	s.printf(`  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
`)
	for _, c := range s.commands {
		s.printf("    %s) _arguments", c.Name)
		for _, f := range flagsOf(c) {
			spec := "--" + f.Name
			if !f.IsBool() {
				spec += "="
			}
			spec += "[" + zshText(f.Help) + "]"
			if !f.IsBool() {
				spec += ":" + f.Name + ":" + zshAction(f.Value)
			}
			s.printf(" \\\n      %s", quoteShell(spec))
		}
		for n, p := range c.Positional {
			at := fmt.Sprint(n + 1)
			if p.IsCumulative() {
				at = "*"
			}
			s.printf(" \\\n      %s", quoteShell(at+":"+p.Name+":"+zshAction(p)))
		}
		s.printf(" ;;\n")
	}
	s.printf("  esac\n}\ncompdef _trajmap trajmap\n")
}

func zshAction(v *kong.Value) string {
	if words := valuesOf(v); words != nil {
		return "(" + strings.Join(words, " ") + ")"
	}
	if v.Name == "mapping" {
		return "_trajmap_mappings"
	}
	return "_files"
}

func zshText(s string) string { return strings.NewReplacer("[", "(", "]", ")", ":", " -").Replace(s) }

func (s script) fish() {
	for _, c := range s.commands {
		s.printf("complete -c trajmap -n __fish_use_subcommand -f -a %s -d %s\n", c.Name, quoteShell(c.Help))
	}
	for _, c := range s.commands {
		in := quoteShell("__fish_seen_subcommand_from " + c.Name)
		for _, f := range flagsOf(c) {
			s.printf("complete -c trajmap -n %s -l %s", in, f.Name)
			if f.Short != 0 {
				s.printf(" -s %c", f.Short)
			}
			if words := valuesOf(f.Value); words != nil {
				s.printf(" -x -a %s", quoteShell(strings.Join(words, " ")))
			} else if !f.IsBool() {
				s.printf(" -r")
			}
			s.printf(" -d %s\n", quoteShell(f.Help))
		}
		for _, p := range c.Positional {
			if words := valuesOf(p); words != nil {
				s.printf("complete -c trajmap -n %s -f -a %s\n", in, quoteShell(strings.Join(words, " ")))
			} else if p.Name == "mapping" {
				s.printf("complete -c trajmap -n %s -a %s\n", in, quoteShell("("+names+")"))
			}
		}
	}
}

// flagsOf are a command's flags, those of all commands included.
func flagsOf(c *kong.Node) []*kong.Flag {
	var flags []*kong.Flag
	for _, group := range c.AllFlags(true) {
		flags = append(flags, group...)
	}
	return flags
}

// valuesOf are the values that an argument may have; nil when they cannot be
// listed.
func valuesOf(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return v.EnumSlice()
}

// quoteShell quotes a word as bash, zsh and fish all understand it.
func quoteShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
