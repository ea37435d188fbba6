package engine

import (
	"os"
	"path/filepath"
)

// UserFolders are the folders whose mappings a user has put above the embedded
// ones: those in $TRAJMAP_MAPPINGS, then trajmap/mappings in the folder for
// configuration, if it exists. getenv looks a variable up, as [os.Getenv] does.
func UserFolders(getenv func(string) string) []string {
	var folders []string
	for _, dir := range filepath.SplitList(getenv("TRAJMAP_MAPPINGS")) {
		if dir != "" {
			folders = append(folders, dir)
		}
	}
	config := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) { // a relative one is to be ignored
		var err error
		if config, err = os.UserConfigDir(); err != nil {
			return folders
		}
	}
	own := filepath.Join(config, "trajmap", "mappings")
	if info, err := os.Stat(own); err == nil && info.IsDir() {
		folders = append(folders, own)
	}
	return folders
}
