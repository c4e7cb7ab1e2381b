package task

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

const (
	// maxMessage is how many bytes of a termination message Kubernetes keeps.
	maxMessage = 4096
	// maxLines is how many lines a termination message has.
	maxLines = 80
	// kept is how many bytes of output are remembered: more than is shown, so that a
	// secret that begins before the first line shown is recognised.
	kept = 4 * maxMessage
)

// Tail remembers the end of what is written to it. Its zero value is ready, and many may
// write at the same time.
type Tail struct {
	mu   sync.Mutex
	last []byte
	more bool // was written before
}

// Write never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.more = t.more || len(t.last)+len(p) > kept
	if t.last = append(t.last, p[max(0, len(p)-kept):]...); len(t.last) > 2*kept {
		t.last = append(t.last[:0], t.last[len(t.last)-kept:]...)
	}
	return len(p), nil
}

// String is the last 80 lines in at most 4 KiB, without secrets. A line that has no room
// is left out, unless it is the only one: of that the end is there.
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

// WriteMessage writes the last lines of a failure into the file that the environment names,
// where the engine finds them. Without one it does nothing.
func WriteMessage(env []string, tail *Tail) error {
	path := Lookup(env, TerminationPath)
	if path == "" {
		return nil
	}
	// In place: on Kubernetes the file is mounted, and nothing can be put in its place.
	if err := os.WriteFile(path, []byte(tail.String()), 0o600); err != nil {
		return fmt.Errorf("the termination message cannot be written; %s names the file: %w", TerminationPath, err)
	}
	return nil
}
