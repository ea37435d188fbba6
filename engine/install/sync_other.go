//go:build !unix

package install

// syncDir does nothing: folders cannot be synced here.
func syncDir(string) error { return nil }
