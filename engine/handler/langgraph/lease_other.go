//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package langgraph

// lease does nothing: the database's own locks are all there are here.
func lease(string, string) (done func(), err error) { return func() {}, nil }
