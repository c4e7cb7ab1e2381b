//go:build unix && !solaris && !illumos && !aix

package tracing

import (
	"errors"
	"os"
	"syscall"
)

// lockFolder locks a file until it's closed or the process ends.
func lockFolder(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
