package convert

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/mapping"
)

// An OptionError is of an option that a target cannot honour.
type OptionError struct {
	Harness string
	Option  string // as it is named on the command line, without dashes
	Reason  string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("%s cannot take --%s: %s", e.Harness, e.Option, e.Reason)
}

// accepts checks that a target honours what is asked for.
func accepts(to *mapping.Mapping, o Options) error {
	asked := []string{}
	for _, a := range []struct {
		name string
		is   bool
	}{{"model", o.Model != ""}, {"provider", o.Provider != ""}, {"reasoning", o.KeepReasoning}} {
		if a.is {
			asked = append(asked, a.name)
		}
	}
	for _, name := range asked {
		group := groupOf(to.Write.Accepts, name)
		switch {
		case group == nil:
			reason := "its sessions and its command line have no place for it"
			if name == "reasoning" {
				reason = "reasoning of another model does not survive there"
			}
			return &OptionError{to.Harness, name, reason}
		case slices.ContainsFunc(group, func(other string) bool { return !slices.Contains(asked, other) }):
			return &OptionError{to.Harness, name, "it takes --" + strings.Join(group, " and --") + " together"}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Own)) {
		if err := ownOption(to, name, o.Own[name]); err != nil {
			return err
		}
	}
	if o.SessionID != "" && !isSafe(o.SessionID) {
		return &OptionError{to.Harness, "session-id", "an id consists of letters, digits, dots, dashes and underscores, and begins with a letter or digit"}
	}
	if form := to.Write.IDForm; o.SessionID != "" && form != "" {
		if ok, err := regexp.MatchString("^(?:"+form+")$", o.SessionID); err != nil || !ok {
			return &OptionError{to.Harness, "session-id", "its ids have the form " + form}
		}
	}
	return nil
}

// ownOption checks one of the target's own options.
func ownOption(to *mapping.Mapping, name, v string) error {
	var names []string
	for _, own := range to.Write.Options {
		if own.Name != name {
			names = append(names, own.Name)
			continue
		}
		if !slices.Contains(own.Values, v) {
			return &OptionError{to.Harness, "option", fmt.Sprintf("%s is %s, not %q", name, strings.Join(own.Values, " or "), v)}
		}
		return nil
	}
	reason := fmt.Sprintf("it has none called %q", name)
	if len(names) > 0 {
		reason += " (there is " + strings.Join(names, ", ") + ")"
	}
	return &OptionError{to.Harness, "option", reason}
}

// groupOf is the options that are taken together, of which one is name; nil when
// there is none.
func groupOf(groups [][]string, name string) []string {
	for _, g := range groups {
		if slices.Contains(g, name) {
			return g
		}
	}
	return nil
}
