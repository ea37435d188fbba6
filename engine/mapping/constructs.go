package mapping

import "slices"

// construct is a map with fixed keys. The table of constructs defines the
// language: what is not in it is an unknown key.
type construct struct {
	name   string
	called string // in messages
	doc    string
	keys   []key
}

// key is a key of a construct.
type key struct {
	name     string
	form     *form
	doc      string
	required bool
}

func (c *construct) key(name string) *key {
	for i := range c.keys {
		if c.keys[i].name == name {
			return &c.keys[i]
		}
	}
	return nil
}

// constructs are all constructs by name.
var constructs = func() map[string]*construct {
	m := map[string]*construct{}
	for _, c := range slices.Concat(table, writing) {
		m[c.name] = c
	}
	return m
}()

// table is the language, in the order in which it is explained.
var table = []*construct{
	{"mapping", "a mapping", "A mapping is one file about one harness: it says which frames a session of that harness consists of and how each becomes records.", []key{
		{name: "mapping", form: enum("v1"), required: true, doc: "version of the mapping language"},
		{name: "harness", form: text(slug), required: true, doc: "name of the harness; also of the mapping"},
		{name: "title", form: text(anyText), doc: "name of the harness as people write it"},
		{name: "aliases", form: list(text(slug)), doc: "further names under which the mapping is found"},
		{name: "source", form: text(slug), doc: "source of the meta record, when it is not the harness's name"},
		{name: "group_required", form: aFlag, doc: "canonical rows need a source group: without one in the session the caller must give it"},
		{name: "notes", form: list(text(anyText)), doc: "sentences for the harness's page in the documentation"},
		{name: "native", form: a("native"), doc: "the frames that the harness writes, as far as they are known; paths are checked against them"},
		{name: "session", form: mapOf(identifier, either(aValue, a("fact"))), doc: "facts about the whole session, for all formats"},
		{name: "blocks", form: mapOf(label, a("block")), doc: "blocks that several places use; none may contain itself. A block sees what `it` is where it is used, the facts and the files, but no names that `let` gave there: it gives its own"},
		{name: "write", form: a("write"), doc: "how a session becomes files of this harness"},
		{name: "resume", form: a("resume"), doc: "how the harness goes on with such files"},
		{name: "read", form: list(a("format")), required: true, doc: "the generations and storage forms of the harness's sessions; the first that detects one of an input's first 50 frames reads it"},
		{name: "store", form: many(a("store")), doc: "where the harness keeps its sessions, so that they can be listed and found by their ids"},
	}},
	{"format", "a format", "A format is one generation or storage form of a harness's sessions. Its block (`kind` and `rules`, `do` or `use`) runs on each frame.", append([]key{
		{name: "format", form: text(label), required: true, doc: "name of the format"},
		{name: "doc", form: text(anyText), doc: "what the format is and where it occurs"},
		{name: "versions", form: text(versionRange), doc: "versions of the program that write it, such as \">=0.9 <0.146\"; evidence, nothing depends on it"},
		{name: "file", form: text(anyText), doc: "name of the file that this format reads, or its path in the session's folder, when a session consists of several: it stands beside the input, or in it when that is a folder"},
		{name: "view", form: enum("archive", "active"), doc: "the view that this format is read for, when another one reads the session's other file for the other view; without that file it serves both"},
		{name: "detect", form: condition, doc: "true for a frame that only this format has; without it, every input is accepted"},
		{name: "refuse", form: text(anyText), doc: "why inputs of this format are not read, in place of a block: the error that such an input gives"},
		{name: "frames", form: either(enum("jsonl"), a("frames")), required: true, doc: "how an input is cut into frames: `jsonl` makes every line one"},
		{name: "files", form: mapOf(identifier, text(anyText)), doc: "files beside the input, by the name under which `files.NAME` reads them; null when missing: .json, of .jsonl the list of its lines, .yaml as if it were JSON, of others the text. In a path `{name}` is the input's name up to its first dot, `{folder}` the name of its folder"},
		{name: "beside", form: list(text(anyText)), doc: "further files of a session that stand beside the one that is read and that no value reads, such as whole results and the conversations of subagents: a snapshot takes them along. Patterns of paths from the file's folder, with `*`, `?`, `..` at the beginning, `**` at the end for all files below, and with `{name}` and `{folder}` as under `files`"},
		{name: "expand", form: many(aValue), doc: "lists in a frame whose items are further frames after it"},
		{name: "key", form: aValue, doc: "what names a frame"},
		{name: "upsert", form: aFlag, doc: "a later frame with an earlier one's key takes its place; in the archive an item of `expand` does not, for it repeats what was written before"},
		{name: "order", form: aValue, doc: "a number by which the frames are sorted, if every frame has it"},
		{name: "session", form: mapOf(identifier, either(aValue, a("fact"))), doc: "facts about the session; they replace the mapping's own facts of the same name"},
		{name: "once", form: many(a("step")), doc: "steps that run once, when all frames have been seen, whichever of them are active: hazards of the session as a whole and what lies beside it. `it` is the document; they give no events"},
		{name: "event", form: a("event"), doc: "identity and time of every event of a frame"},
		{name: "adopt_call_ids", form: aFlag, doc: "calls without an id take the ids of the results directly after their frame, if their numbers agree"},
		{name: "native", form: either(enum("none"), a("native")), doc: "the frames of this format, in place of the mapping's; `none` turns the checks off"},
		{name: "active", form: a("active"), doc: "which frames the harness itself would send to the model next"},
		{name: "join", form: a("join"), doc: "the session that this one continues, when its frames are in another file"},
		{name: "with", form: aValue, doc: "what the block looks at instead of the frame"},
	}, blockKeys...)},
	{"frames", "frames", "How an input is cut into frames, when they are not its lines. Exactly one key.", []key{
		{name: "json", form: many(text(anyText)), doc: "dotted paths in the document, of which the first that is a list holds the frames; `@this` is the document itself"},
		{name: "files", form: text(anyText), doc: "a pattern of files below a folder; each is a frame, in the order of their names. The input is the folder, one of these files or one of the format's `files`"},
		{name: "sqlite", form: either(text(anyText), list(text(anyText)), a("queries")), doc: "a query on the SQLite database that the input is, each row of which is a frame: an object of its columns, or what its only column `frame` holds as JSON. A binary value is text: decompressed if it is zstd, as it is if it is UTF-8, else in base64"},
		{name: "linked", form: a("linked"), doc: "many files that name each other in their paths"},
		{name: "handler", form: text(slug), doc: "name of a decoder that is part of the program"},
	}},
	{"queries", "sqlite", "How a SQLite database is read that holds many sessions. The one used last is read when none is asked for. Of a list of queries the first counts for which the database has the tables and columns.", []key{
		{name: "sessions", form: many(text(anyText)), doc: "a row for each session, the one used last first; the first column is its id, the others are for lists: `title`, `cwd`, `updated_at`, …"},
		{name: "doc", form: many(text(anyText)), doc: "one row, the document around the frames; without one there is no session `:session`"},
		{name: "rows", form: many(text(anyText)), required: true, doc: "a row for each frame, in order"},
	}},
	{"linked", "linked", "How a session is read that lies in many files below one folder, in sibling folders: one file of its own, one for each frame, and more for the lists in a frame. The input is the session's own file. A part in braces has the same value in all paths: below a file stand those that its path names. Links are not followed. A file that is no JSON object is left out and reported by its name.", []key{
		{name: "input", form: text(anyText), required: true, doc: "pattern of the session's own file below that folder, as the paths of a store are written: session/*/{session}.json"},
		{name: "doc", form: text(identifier), required: true, doc: "the member of the document that its content becomes"},
		{name: "files", form: text(anyText), required: true, doc: "pattern of the frames' files, one folder: message/{session}/{message}.json"},
		{name: "as", form: text(identifier), required: true, doc: "the member of the frame that its file's content becomes"},
		{name: "order", form: text(anyText), doc: "a dotted path in a frame's file: they are in the order of this number or text, of equal ones in that of their names; without it in the order of their names. Names are compared as text"},
		{name: "lists", form: mapOf(identifier, text(anyText)), doc: "further members of a frame: lists of what the files of a pattern hold, in the order of their names, absent without their folder: {parts: part/{message}/{part}.json}"},
		{name: "id", form: text(identifier), doc: "the member of every file that the part of its own name stands for, whatever the file says"},
	}},
	{"native", "native", "What is known of the frames that a harness writes. Every path and every rule is checked against it, and drift is what an input has beyond it. Kinds that a block ignores need not be repeated here.", []key{
		{name: "version", form: text(anyText), doc: "dotted path on a frame where the program's version stands"},
		{name: "since", form: mapOf(anyText, text(version)), doc: "first version in which a kind (`message/image`) or field occurs; evidence, nothing depends on it"},
		{name: "until", form: mapOf(anyText, text(version)), doc: "last version in which a kind or field occurs"},
		{name: "shapes", form: mapOf(anyText, aShape), doc: "shapes by name, for `frame`, `doc` and each other"},
		{name: "doc", form: aShape, doc: "the document around the frames"},
		{name: "frame", form: aShape, doc: "a frame"},
	}},
	{"fact", "a fact", "A fact about the session, gathered from all its frames before any rule runs. Null and \"\" never count. `group`, `cwd`, `git_branch`, `model`, `created_at`, `duration` (ms) and `title` describe the session; other names are for `session.NAME` in expressions. A fact sees the facts that stand before it. A fact that is a bare value is read from the document or from a file beside the input.", []key{
		{name: "any", form: condition, doc: "true when the condition holds for a frame"},
		{name: "count", form: condition, doc: "number of frames for which the condition holds"},
		{name: "first", form: aValue, doc: "the first value"},
		{name: "last", form: aValue, doc: "the last value"},
		{name: "only", form: aValue, doc: "the value, if all frames agree"},
		{name: "most", form: aValue, doc: "the most frequent value; of several the smallest"},
		{name: "earliest", form: aValue, doc: "the value of the frame with the earliest time"},
		{name: "map", form: aValue, doc: "values by `key`, a later one replaces an earlier: `session.NAME[str(it.id)]`"},
		{name: "key", form: aValue, doc: "key of `map`; of a list, each item"},
		{name: "of", form: text(identifier), doc: "not of the frames: of the items of the list that this file beside the input is, named under `files`"},
		{name: "on", form: kinds, doc: "only frames of these kinds"},
		{name: "if", form: condition, doc: "only frames for which this holds"},
	}},
	{"event", "event", "What the events of a frame have in common, read from the frame.", []key{
		{name: "record", form: aValue, doc: "the native record's id"},
		{name: "time", form: aValue, doc: "a time: RFC 3339, or a number of milliseconds since 1970"},
		{name: "model", form: aValue, doc: "the model that answered"},
		{name: "step", form: aValue, doc: "the model reply that the frame is a part of"},
		{name: "sequence", form: aValue, doc: "an integer that orders the native records, where the source numbers them"},
		{name: "monotonic", form: aFlag, doc: "times never run back within a frame"},
	}},
	{"block", "a block", "A block under `blocks`, which other blocks `use` by its name.", append([]key{
		{name: "doc", form: text(anyText), doc: "what the block does"},
	}, blockKeys...)},
	{"step", "a step", "A step does one thing: it has exactly one verb, or a block alone. It is skipped when `view` is not the view that is read or when `if` does not hold; `let` comes before `if`. A rule, `do` and `before` hold one step or a list.", append([]key{
		{name: "view", form: enum("archive", "active"), doc: "only when this view is read"},
		{name: "versions", form: text(versionRange), doc: "versions of the program in whose sessions the step occurs; evidence, nothing depends on it"},
		{name: "let", form: mapOf(identifier, aValue), doc: "names for values, in order; each sees the ones before, and everything below sees them"},
		{name: "if", form: condition, doc: "only when this holds"},
		{name: "user", form: message, doc: "verb: what the user said"},
		{name: "assistant", form: message, doc: "verb: what the model said"},
		{name: "system", form: message, doc: "verb: a system prompt"},
		{name: "reasoning", form: message, doc: "verb: what the model thought"},
		{name: "observation", form: message, doc: "verb: what the program said, not the user"},
		{name: "message", form: a("message"), doc: "verb: a message whose role is in the data; other roles give nothing"},
		{name: "tool_call", form: a("tool call"), doc: "verb: a call that the model made"},
		{name: "tool_result", form: a("tool result"), doc: "verb: what a call gave"},
		{name: "with", form: aValue, doc: "verb: the block beside it looks at this value; not at all when it is null"},
		{name: "each", form: aValue, doc: "verb: the block beside it looks at each item; a string is one block of type text, an object one item"},
		{name: "drop", form: text(code), doc: "verb: the frame or item ends here, with a diagnostic of this code"},
		{name: "count", form: aValue, doc: "with `drop`: how many things the diagnostic speaks of"},
		{name: "ignore", form: text(code), doc: "verb: the frame or item ends here, for this reason"},
		{name: "hazard", form: text(code), doc: "verb: notes something that makes the session unsafe to move, and goes on"},
		{name: "verdict", form: enum("refuse", "never"), doc: "beside `hazard`: what conversions do about it here, where that is stricter than what they do about such hazards in general; `never` cannot be allowed"},
		{name: "join", form: either(yes, aValue), doc: "pieces of what was streamed: the content is appended to the event before, if that came from a step with `join`, of the same role, with an equal value here, and if no rule has run for a frame between them. Of calls it is the arguments, when this one has no id"},
	}, blockKeys...)},
	{"content", "a message", "A message in its long form, with what it does not share with its frame.", append([]key{
		{name: "content", form: aValue, required: true, doc: "the text: a string, a list of text blocks; other values as JSON, null gives no message"},
	}, eventKeys...)},
	{"message", "message", "A message whose role the data says.", append([]key{
		{name: "role", form: aValue, required: true, doc: "`user`, `assistant`, `system`, `reasoning` or `observation`"},
		{name: "content", form: aValue, required: true, doc: "the text, as for `user`"},
	}, eventKeys...)},
	{"tool call", "tool_call", "A call that the model made.", append([]key{
		{name: "id", form: aValue, doc: "the call's id; a missing one is made up"},
		{name: "name", form: aValue, doc: "the tool's name"},
		{name: "args", form: arguments, doc: "the arguments: a string as it is, other values as JSON, nothing as {}"},
		{name: "resultless", form: condition, doc: "holds for a call that has no result by design, such as one that the provider ran, who told the model alone what it gave: it is not open"},
	}, eventKeys...)},
	{"tool result", "tool_result", "What a call gave.", append([]key{
		{name: "call", form: aValue, doc: "id of the call"},
		{name: "content", form: aValue, doc: "the text, as for `user`; null is \"\""},
		{name: "ok", form: aValue, doc: "true or false as the source states it; anything else leaves it out"},
		{name: "full", form: a("full"), doc: "where the whole text is of which `content` is a part: noted as the hazard persisted_result. A snapshot takes the file along, and whoever asks for full results gets its text in place of `content`"},
	}, eventKeys...)},
	{"full", "full", "A text file that stands beside the session's.", []key{
		{name: "name", form: aValue, required: true, doc: "its name, or a path of which the last name counts; null or \"\" when there is none"},
		{name: "in", form: many(text(anyText)), required: true, doc: "folders in which it is looked for, the first that has it counts: patterns as under `beside`"},
	}},
	{"active", "active", "What the harness itself would send to the model next: first the branch of a tree, then edits.", []key{
		{name: "tree", form: a("tree"), doc: "frames that name their parent"},
		{name: "edits", form: list(a("edit")), doc: "frames that change what came before; the first edit that matches a frame acts"},
	}},
	{"tree", "tree", "Frames that name their parent. Of them only the chain from a leaf to its root is active; frames without an id stay.", []key{
		{name: "id", form: aValue, required: true, doc: "a frame's id"},
		{name: "parent", form: aValue, required: true, doc: "its parent's id"},
		{name: "nodes", form: condition, doc: "false for frames that stand outside the tree though they have an id"},
		{name: "leaf", form: aValue, doc: "id of the leaf, where the document or a file beside the input says it; \"\" for an empty conversation"},
		{name: "leaf_if", form: condition, doc: "the leaf is the last frame for which this holds"},
		{name: "tip", form: yes, doc: "the leaf is the last frame that no other names as its parent"},
		{name: "linear", form: yes, doc: "a frame that names no parent hangs under the one before it, instead of being a root"},
		{name: "with", form: aValue, doc: "siblings of the chain with the same value come back, with the frames directly below them: parallel calls"},
		{name: "pointer", form: a("pointer"), doc: "a frame that names the leaf"},
		{name: "repair", form: a("repair"), doc: "a parent for frames whose parent is missing"},
	}},
	{"pointer", "pointer", "A frame that names the leaf; the last one counts.", []key{
		{name: "on", form: kinds, required: true, doc: "kinds of such frames"},
		{name: "leaf", form: aValue, required: true, doc: "id of the leaf"},
		{name: "exact", form: aValue, doc: "when true, the chain ends there or at the last descendant added after the pointer"},
	}},
	{"repair", "repair", "A frame whose parent is not in the input hangs under the frame written last before it.", []key{
		{name: "time", form: aValue, required: true, doc: "a frame's time"},
		{name: "within", form: duration, required: true, doc: "how much earlier that frame may be at most"},
		{name: "same", form: aValue, doc: "a value that both must have in common"},
	}},
	{"edit", "an edit", "A frame that changes which frames before it are active. It has exactly one of `reset`, `undo`, `cut`, `hide`, `end` and `amend`.", []key{
		{name: "on", form: kinds, doc: "kinds of such frames"},
		{name: "if", form: condition, doc: "only frames for which this holds"},
		{name: "reset", form: either(yes, a("reset")), doc: "only this frame, and earlier ones that are kept, stay"},
		{name: "undo", form: aValue, doc: "drops from the end, until so many frames that give a user message are gone"},
		{name: "cut", form: aValue, doc: "drops the frame with this id and all after it; all frames when there is none"},
		{name: "hide", form: aValue, doc: "drops the frames with this id or these ids"},
		{name: "end", form: yes, doc: "this frame and all later ones are out"},
		{name: "amend", form: aValue, doc: "the frame with this id is read with this one as `amendment`"},
		{name: "place", form: aValue, doc: "beside `undo`, `cut`, `hide` or `amend`: how many active frames this frame stands behind; it is the last when absent"},
		{name: "hazard", form: text(code), doc: "noted in the active view when the edit acts and nothing later undoes that: what it takes out has no rule to say so"},
		{name: "among", form: condition, doc: "the frames that `place` and `keep_after` count; all when absent"},
	}},
	{"reset", "reset", "Which earlier frames a reset keeps. Exactly one of `keep`, `keep_from`, `keep_after` and `keep_if`.", []key{
		{name: "keep", form: aValue, doc: "ids among all earlier frames"},
		{name: "keep_from", form: aValue, doc: "the active frames from the one with this id; none when there is none"},
		{name: "keep_after", form: aValue, doc: "all active frames but the first so many"},
		{name: "keep_if", form: condition, doc: "the active frames for which this holds"},
		{name: "kept", form: enum("before", "after"), doc: "where they stand: `before` this frame (unless said otherwise) or `after` it"},
	}},
	{"join", "join", "The session that this one continues: its frames come before those of the input.", []key{
		{name: "on", form: kinds, doc: "kinds of frames that name it"},
		{name: "session", form: aValue, required: true, doc: "its id"},
		{name: "until", form: aValue, doc: "how many of its bytes belong to this session; all when absent"},
		{name: "find", form: list(text(anyText)), required: true, doc: "patterns of files, from the input's folder; `{session}` is the id"},
		{name: "missing", form: text(code), required: true, doc: "hazard when no such file is there"},
	}},
	{"store", "a store", "A place where sessions are kept. All of its roots are looked at; one that is not there holds nothing.", []key{
		{name: "doc", form: text(anyText), doc: "what the place is"},
		{name: "roots", form: list(many(text(aPlace))), required: true, doc: "folders, with `~` for the user's home, `$NAME` for environment variables and `*` for any characters of a name. Of a list in the list the first counts all of whose variables are set: [$AGENT_HOME, ~/.agent]"},
		{name: "sessions", form: list(a("layout")), required: true, doc: "which paths below the roots are sessions. A path is of the first layout that it fits, and none when it fits no layout. An id that several sessions have is listed once: from the first of the layouts, of these the newest"},
	}},
	{"layout", "a layout", "Paths that are sessions, and what a list tells of them. What a layout does not say itself is taken from a part of the path or a column of the database's own list that is called so, then from the session's facts of that name (`group` for `id`), computed over the beginning and the end of the file, at most 64 KiB each. At last the title is the first thing that the user said, `updated_at` the last time in the file or else of its last change. A file in which nothing was said is no session.", []key{
		{name: "doc", form: text(anyText), doc: "what these sessions are"},
		{name: "path", form: many(text(anyText)), required: true, doc: "a pattern of paths below the root: `*` stands for any characters of a name, `**` for any folders, {part} for characters that are called so, {part:uuid}, {part:hex} and {part:digits} for such alone. A part is as short as possible, and the same wherever it stands again. A slash at the end: the session is a folder"},
		{name: "format", form: many(text(label)), doc: "the formats that read these sessions; all of them when absent"},
		{name: "files", form: mapOf(identifier, storeFileForm), doc: "files beside the session, or in it when that is a folder, by the name under which `files.NAME` reads them, as for a format. {part} is a part of the session's path, {name} its name up to the first dot, {folder} that of its folder; a slash at the beginning stands for the root"},
		{name: "if", form: condition, doc: "only when this holds is it a session. In this and all below, `it` is an object of the path's parts with `modified`, when the file was changed last in ms; of a database the row of its own list; `doc` is the document, as far as the beginning of the file has it"},
		{name: "id", form: aValue, doc: "the session's id"},
		{name: "title", form: aValue, doc: "what people call it"},
		{name: "cwd", form: aValue, doc: "the folder that it worked in"},
		{name: "git_branch", form: aValue, doc: "the branch that was checked out"},
		{name: "model", form: aValue, doc: "the model, the last one of several"},
		{name: "created_at", form: aValue, doc: "when it began: RFC 3339, or ms since 1970"},
		{name: "updated_at", form: aValue, doc: "when it was used last. One that needs no fact of the session makes long lists faster"},
		{name: "parent", form: aValue, doc: "id of the session for which this one worked, as a subagent does: it is listed on request only"},
	}},
	{"store file", "a file", "A file of a store whose items are looked up by a member: `files.NAME[it.id]`.", []key{
		{name: "path", form: text(anyText), required: true, doc: "the file, as in the short form"},
		{name: "key", form: text(anyText), required: true, doc: "the member; of items with the same a later one counts"},
	}},
}

// message is a message in its short or long form.
var message = either(aValue, a("content"))

// blockKeys make a block: it looks at the kind of `it` and runs the rule for it,
// or runs steps on it.
var blockKeys = []key{
	{name: "before", form: many(a("step")), doc: "steps that run before the block looks at the kind"},
	{name: "kind", form: aValue, doc: "what tells the kinds apart; absent is the kind \"\""},
	{name: "rules", form: mapOf(aKind, many(a("step"))), doc: "steps by kind; a key may list several kinds: `a, b`"},
	{name: "ignored", form: list(text(aKind)), doc: "kinds that are known and carry nothing; `prefix.*` for all that begin so"},
	{name: "unmapped", form: text(code), doc: "code of the diagnostic for other kinds, instead of unmapped_frame"},
	{name: "do", form: many(a("step")), doc: "steps, when kinds do not matter"},
	{name: "use", form: text(label), doc: "a block under `blocks`"},
}

// writing is the half of the language that writes.
var writing = []*construct{
	{"write", "write", "How a session becomes files of this harness. `id`, `let`, `each` and `kind` hold values, a plain text being a path on `it`; `path`, `frame`, `document`, `give` and what stands in `resume` are templates: a text is itself, `= …` an expression, a map an object, a list a list. An expression that gives null leaves its member, item or frame out; `nullable(v)` writes null.", []key{
		{name: "home", form: many(text(aPlace)), required: true, doc: "the folder that the paths of the files are below: alternatives, as for the roots of a store"},
		{name: "also", form: list(text(anyText)), doc: "further folders below `home` where sessions are: what is there already is looked for in them, too"},
		{name: "inside", form: text(aFolder), doc: "folder below an export that is `home` when the export is used where it lies; without it, that is the export itself"},
		{name: "real_cwd", form: yes, doc: "the program resolves links in the session's folder before it names anything after it"},
		{name: "accepts", form: list(many(enum("model", "provider", "reasoning"))), doc: "what whoever writes may ask for: the model and provider to go on with, and reasoning to be kept; what stands in one list is taken together. The rest is refused"},
		{name: "options", form: mapOf(identifier, a("out option")), doc: "what whoever writes may ask of this target alone, seen as `options.NAME`. Such an option may cost the knowledge of which calls were made at once, and nothing else"},
		{name: "id_form", form: text(anyText), doc: "a regular expression that all session ids match"},
		{name: "id", form: aValue, required: true, doc: "id of the session that is written; made of the session alone, so that the same input has the same id"},
		{name: "gate", form: mapOf(code, enum("refuse", "never", "carry")), doc: "verdicts on hazards that differ from the general ones; `never` cannot be allowed"},
		{name: "pin", form: a("pin"), doc: "the versions of the program that read what is written"},
		{name: "doubles", form: yes, doc: "the program keeps numbers in arguments as doubles: integers above 2^53 change"},
		{name: "continuation", form: enum("unverified"), doc: "`unverified`: the program loads what is written, but nobody has seen that its model gets it. Each conversion says so"},
		{name: "prepare", form: many(a("prepare")), doc: "what is to be done with the files before the program finds the session; those with which nothing is done are put in their places"},
		{name: "let", form: mapOf(identifier, aValue), doc: "names for values, in order"},
		{name: "blocks", form: mapOf(label, many(a("out step"))), doc: "steps that several places use; none may contain itself. They see what `it` is where they are used, but no names that `let` gave there"},
		{name: "before", form: many(a("out step")), doc: "steps that run before the files are made: they note hazards, and write nothing"},
		{name: "files", form: list(a("out file")), doc: "the files, in the order in which they are made; at their top `it` is the session"},
	}},
	{"out option", "an option", "Something that may be asked of one target alone: `--option NAME=VALUE`.", []key{
		{name: "values", form: list(text(anyText)), required: true, doc: "its values, of which the first one is meant when nothing is asked"},
		{name: "doc", form: text(anyText), required: true, doc: "what it does"},
	}},
	{"pin", "pin", "The versions of the program that read what is written.", []key{
		{name: "program", form: text(anyText), required: true, doc: "name of the program"},
		{name: "tested", form: list(text(version)), required: true, doc: "versions that were seen to go on with written sessions"},
		{name: "range", form: text(versionRange), doc: "versions that are expected to"},
		{name: "strict", form: yes, doc: "other versions are refused unless `--allow-untested` is given: the store is a private one"},
		{name: "argv", form: list(text(anyText)), doc: "command that prints the version; it is only run where `strict` is"},
	}},
	{"prepare", "prepare", "Something that is done with the files before the program finds the session: a program takes them in (`step`), or trajmap writes the program's own store (`store`). Commands run in the session's folder and see `root`, the program's home, and `export`, the folder of the files.", []key{
		{name: "step", form: enum("import"), doc: "`import`: a command of the program takes the files in"},
		{name: "argv", form: aTemplate, doc: "the command"},
		{name: "show", form: aTemplate, doc: "command that prints the session in a form that this mapping reads: it is compared with what was written, and tells whether the session is there already"},
		{name: "undo", form: aTemplate, doc: "command that takes the session away again"},
		{name: "env", form: aTemplate, doc: "variables that make `root` the program's home"},
		{name: "store", form: text(slug), doc: "name of a handler that writes a store of the program's own kind; what it has written is read back before it counts"},
		{name: "file", form: text(identifier), doc: "name of the file whose session it writes. That file stays in the export"},
		{name: "path", form: aTemplate, doc: "path of the store below the program's home; like the path of a file"},
	}},
	{"out file", "a file", "A file that is written: JSON lines (`frames`), one JSON value (`document`), a text or a script.", []key{
		{name: "name", form: text(identifier), doc: "name by which later files and commands see it: `written.NAME`"},
		{name: "path", form: aTemplate, required: true, doc: "path below the export's folder"},
		{name: "let", form: mapOf(identifier, aValue), doc: "names for values, in order"},
		{name: "rewrite", form: list(text(anyText)), doc: "dotted paths of strings that get the real root in front when the file is installed"},
		{name: "kept", form: text(anyText), doc: "name of a file in the same folder that holds what was written, once the program has gone on with the session in a form of its own"},
		{name: "frames", form: many(a("out step")), doc: "steps that write a line each"},
		{name: "document", form: aTemplate, doc: "the JSON value"},
		{name: "text", form: aTemplate, doc: "the text"},
		{name: "script", form: text(anyText), doc: "name of a program that ships with trajmap: it does what `prepare` does, for people without trajmap, and stays in the export. It is the same for every session"},
		{name: "encode", form: text(slug), doc: "name of a handler that makes the file's bytes of the frames, or of the document"},
	}},
	{"out step", "a step", "A step that writes: a frame, further steps, or steps chosen by a kind. `let` and `if` come before `with` and `each`.", []key{
		{name: "let", form: mapOf(identifier, aValue), doc: "names for values, in order"},
		{name: "if", form: condition, doc: "only when this holds"},
		{name: "all", form: aTemplate, doc: "members of every frame below, before its own; a frame's own value wins, in that place"},
		{name: "with", form: aValue, doc: "`it` is this value below; nothing is done when it is null"},
		{name: "each", form: aValue, doc: "once for each item, which is `it` below"},
		{name: "do", form: many(a("out step")), doc: "further steps"},
		{name: "use", form: text(label), doc: "the steps of this name under `blocks` of `write`"},
		{name: "frame", form: aTemplate, doc: "a line"},
		{name: "hazard", form: text(code), doc: "notes something that makes the session unsafe to go on with at this target; conversions judge it like the source's"},
		{name: "verdict", form: enum("refuse", "never"), doc: "beside `hazard`, as in a step that reads"},
		{name: "kind", form: aValue, doc: "what `rules` goes by"},
		{name: "rules", form: mapOf(aKind, many(a("out step"))), doc: "steps by kind"},
		{name: "ignored", form: list(text(aKind)), doc: "kinds that are not written; one that is neither here nor in rules fails"},
	}},
	{"form", "a form", "A part of a template that depends on the session: in a list it gives no item, one, or one for each; as a member it is absent when `if` does not hold, and a list with `each`.", []key{
		{name: "let", form: mapOf(identifier, aValue), doc: "names for values, in order"},
		{name: "if", form: condition, doc: "only when this holds"},
		{name: "each", form: aValue, doc: "once for each item"},
		{name: "give", form: aTemplate, doc: "what it gives; a list gives all its items"},
		{name: "kind", form: aValue, doc: "what `rules` goes by"},
		{name: "rules", form: mapOf(aKind, aTemplate), doc: "templates by kind"},
		{name: "ignored", form: list(text(aKind)), doc: "kinds that give nothing"},
	}},
	{"resume", "resume", "How the harness goes on with a session that was written. `root` is the folder that its files are below.", []key{
		{name: "let", form: mapOf(identifier, aValue), doc: "names for values, in order"},
		{name: "cwd", form: aTemplate, doc: "folder to start in"},
		{name: "env", form: aTemplate, doc: "variables that it needs"},
		{name: "home", form: aTemplate, doc: "variables that make `root` the harness's home, where it is not already"},
		{name: "argv", form: aTemplate, required: true, doc: "command that resumes it for a person"},
		{name: "prompt", form: aTemplate, doc: "command that resumes it with one prompt"},
		{name: "acp", form: aTemplate, doc: "command that starts the harness as an agent of the Agent Client Protocol"},
		{name: "needs_model", form: condition, doc: "holds when the command needs a model to be named"},
	}},
}

// eventKeys are what an event may say in place of its frame's defaults.
var eventKeys = []key{
	{name: "record", form: aValue, doc: "the native record's id, when it is not the frame's"},
	{name: "time", form: aValue, doc: "its time"},
	{name: "model", form: aValue, doc: "its model"},
	{name: "step", form: aValue, doc: "the model reply that it is a part of"},
	{name: "sequence", form: aValue, doc: "its number among the native records"},
	{name: "component", form: aValue, doc: "its number, from 0, within its native record, where that is spread over several frames"},
}
