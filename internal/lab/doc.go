// Package lab proves by the real programs that sessions load and go on.
//
// A coding agent that resumes with exit code 0 has proven nothing: most drop
// what they do not like in silence. So each program is installed at a pinned
// version, run in a private home in a namespace with no network but loopback,
// and asked twice: what it has loaded, without a model, and, with a scripted
// model, what it sends to that model when it goes on. Both must be the session,
// entry by entry; and the same comparison must fail for another session, or it
// proves nothing either.
//
// Sessions are put in place by the command `trajmap handoff`, and go on by the
// command that it gives: what is proven is what a user does.
//
// What runs programs carries the build tag lab and needs Linux, and root or user
// namespaces. The programs are never part of this repository: they come into an ignored folder,
// from the registries that their authors publish to, by the ordinary clients.
// One that cannot be had is not proven, with the reason; it never counts as
// passed.
package lab
