package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Our own names in the folder, which archives must not use.
const (
	ownPrefix    = ".elasticjob-"
	markerName   = ownPrefix + "archive"
	downloadName = ownPrefix + "download"

	unpacking, complete = "unpacking", "complete"
)

// target is the folder to unpack into. A marker file in it has the checksum, so after a crash or a
// restarted container we recognise our own files.
type target struct {
	dir      string
	sum      string
	root     *os.Root
	made     bool
	complete bool // it's already unpacked
}

func openTarget(dir, sum string) (t *target, err error) {
	t = &target{dir: dir, sum: sum}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		t.made = true
	}
	err = os.MkdirAll(dir, 0o755)
	if err == nil {
		t.root, err = os.OpenRoot(dir)
	}
	if err == nil {
		err = t.begin()
	}
	if err != nil && !errors.Is(err, ErrRefused) {
		err = fmt.Errorf("the folder of the archive: %w", err)
	}
	return t, err
}

// begin marks the folder as ours, unless it has the archive. It refuses a folder with other files.
func (t *target) begin() error {
	note, err := t.marker()
	if err != nil {
		return err
	}
	switch note {
	case complete + " " + t.sum:
		t.complete = true
		return nil
	case "":
		names, err := t.names()
		if err != nil {
			return err
		}
		if len(names) > 0 {
			return refuse("folder %s is not empty: %s; name an empty one for the archive", t.dir, clip(strings.Join(names[:min(len(names), 3)], ", ")))
		}
	default:
		if err := t.empty(); err != nil {
			return fmt.Errorf("empty it: %w", err)
		}
	}
	return t.note(unpacking)
}

// marker returns the note of an earlier Fetch, "" if there was none.
func (t *target) marker() (string, error) {
	file, err := t.root.Open(markerName)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 1<<10))
	// An empty marker is also ours, because a crash may have left it.
	return cmp.Or(strings.TrimSpace(string(text)), unpacking), err
}

func (t *target) note(state string) error {
	return t.root.WriteFile(markerName, []byte(state+" "+t.sum+"\n"), 0o644)
}

func (t *target) names() ([]string, error) {
	folder, err := t.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.Readdirnames(-1)
}

// empty removes everything in the folder, the marker last.
func (t *target) empty() error {
	names, err := t.names()
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		if name != markerName {
			errs = append(errs, t.root.RemoveAll(name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := t.root.Remove(markerName); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (t *target) release() {
	if t.root != nil {
		_ = t.root.Close()
	}
}

// close finishes the work. After a failure it removes everything.
func (t *target) close(failed error) error {
	defer t.release()
	if failed == nil {
		err := errors.Join(t.root.Remove(downloadName), t.note(complete))
		if err == nil {
			return nil
		}
		failed = fmt.Errorf("the folder of the archive: %w", err)
	}
	if err := t.empty(); err != nil {
		return errors.Join(failed, fmt.Errorf("empty the folder of the archive: %w", err))
	}
	if t.made {
		return errors.Join(failed, os.Remove(t.dir))
	}
	return failed
}
