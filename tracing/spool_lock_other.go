//go:build !unix || solaris || illumos || aix

package tracing

import "os"

// lockFolder can't lock on this system. The operator must give each process its own folder.
func lockFolder(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o640)
}
