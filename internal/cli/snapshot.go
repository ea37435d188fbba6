package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine/snapshot"
)

// snapshotCmd keeps a session whole.
type snapshotCmd struct {
	Input string `arg:"" help:"A session: HARNESS:ID, latest or latest:HARNESS, a native file or folder, or - for standard input."`

	Out         string `short:"o" name:"output" placeholder:"PATH" help:"File of the snapshot, or, for a large session, when it ends in / or when it is a folder, the folder; it appears only when all is done. Standard output when it is not given."`
	From        string `default:"auto" placeholder:"HARNESS" help:"Harness that the session is of; auto recognises it."`
	Session     string `placeholder:"ID" aliases:"thread" help:"Which session of an input that holds several."`
	FullResults bool   `help:"In what the agent would send next, take results whole that the session has only in part."`
}

// Help says what a snapshot is.
func (*snapshotCmd) Help() string {
	return "A snapshot has the native files of one session, what stands beside them, its records, and what was noticed, with a hash of each. It is read wherever a native file is. No hazard keeps a session from being kept."
}

// Run takes the snapshot and writes it.
func (c *snapshotCmd) Run(ctx context.Context, w *World) (err error) {
	pick, err := w.picker(c.From)
	if err != nil {
		return err
	}
	t, err := w.one(ctx, c.Input)
	if err != nil {
		return err
	}
	from, err := pick.open(ctx, &t)
	if err != nil {
		return &placed{t.path, err}
	}
	defer from.close()
	if from.snap != nil {
		return &placed{t.path, errors.New("is a snapshot already")}
	}
	taken, err := snapshot.Take(ctx, from.m.Mapping, from.in, snapshot.Options{Session: cmp.Or(t.session, c.Session), FullResults: c.FullResults})
	if err != nil {
		return &placed{t.path, err}
	}
	defer taken.Close()
	if c.folder(taken) {
		err = c.writeFolder(taken)
	} else {
		err = c.writeFile(w, taken)
	}
	if err != nil {
		return err
	}
	var hazards []string
	for _, h := range taken.Portability.Hazards {
		hazards = append(hazards, h.Code)
	}
	line := "kept session " + taken.Source.SessionID + " of " + taken.Source.Harness + ": " +
		plural(1+len(taken.Attachments), "file") + ", " + group(int(taken.Size())) + " bytes"
	if len(hazards) > 0 {
		line += "; noted: " + strings.Join(hazards, ", ")
	}
	w.say(line)
	return nil
}

// folder reports whether the snapshot is to be one.
func (c *snapshotCmd) folder(taken *snapshot.Taken) bool {
	if c.Out == "" || c.Out == "-" {
		return false
	}
	return taken.Size() > snapshot.InlineMost || os.IsPathSeparator(c.Out[len(c.Out)-1]) || isFolder(c.Out)
}

func (c *snapshotCmd) writeFolder(taken *snapshot.Taken) error {
	dir, err := newFolder(filepath.Clean(c.Out))
	if err != nil {
		return err
	}
	defer dir.close()
	if err := taken.WriteFolder(dir.temp); err != nil {
		return err
	}
	return dir.publish()
}

func (c *snapshotCmd) writeFile(w *World, taken *snapshot.Taken) (err error) {
	if taken.Size() > snapshot.InlineMost {
		return usagef("give a folder with -o", "the session has %s bytes, more than a snapshot takes in itself", group(int(taken.Size())))
	}
	out, err := create(w, c.Out)
	if err != nil {
		return err
	}
	defer out.close(&err)
	if err := taken.Write(out); err != nil {
		return &outputError{err}
	}
	return nil
}
