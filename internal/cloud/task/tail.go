package task

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

const (
	// maxMessage is the size of a termination message in Kubernetes, in bytes.
	maxMessage = 4096
	// maxLines is the number of lines in a termination message.
	maxLines = 80
	// kept is the number of output bytes kept. It's more than is shown, so that a secret that
	// begins before the first shown line is recognised.
	kept = 4 * maxMessage
)

// Tail keeps the end of its input. The zero value is ready to use. It's safe for concurrent use.
type Tail struct {
	mu   sync.Mutex
	last []byte
	more bool // earlier output was dropped
}

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.more = t.more || len(t.last)+len(p) > kept
	if t.last = append(t.last, p[max(0, len(p)-kept):]...); len(t.last) > 2*kept {
		t.last = append(t.last[:0], t.last[len(t.last)-kept:]...)
	}
	return len(p), nil
}

// String returns the last 80 lines in at most 4 KiB, with secrets masked. It leaves out lines that
// don't fit, but if only one line remains it returns its end.
func (t *Tail) String() string {
	t.mu.Lock()
	text := string(t.last[max(0, len(t.last)-kept):])
	cut := t.more
	t.mu.Unlock()
	text = mask.Text(strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd")))
	if lines := strings.Split(text, "\n"); len(lines) > maxLines {
		text, cut = strings.Join(lines[len(lines)-maxLines:], "\n"), false
	}
	if len(text) > maxMessage {
		cut = text[len(text)-maxMessage-1] != '\n'
		text = strings.ToValidUTF8(text[len(text)-maxMessage:], "")
	}
	if _, whole, more := strings.Cut(text, "\n"); cut && more {
		text = whole
	}
	return text
}

// WriteMessage writes the last lines of a failure into the file named by the environment, where the
// engine reads them. Without a name it does nothing.
func WriteMessage(env []string, tail *Tail) error {
	path := Lookup(env, TerminationPath)
	if path == "" {
		return nil
	}
	// Write in place, because on Kubernetes the file is mounted and can't be replaced.
	if err := os.WriteFile(path, []byte(tail.String()), 0o600); err != nil {
		return fmt.Errorf("the termination message can't be written to the file in %s: %w", TerminationPath, err)
	}
	return nil
}
