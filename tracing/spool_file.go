package tracing

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const (
	// segmentBytes is when a file is closed and the next one begun: what a
	// spool reads into memory at once.
	segmentBytes = 1 << 20
	// drainBatch is the number of events written at once from a file.
	drainBatch = 600
)

// segment is a file of events, one JSON document a line. A version that does not know
// a kind of event counts its lines as damaged and takes the others.
type segment struct {
	path   string
	size   int64
	events int // 0 of a file that an earlier process has left
}

func segmentPath(dir string, number uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%016d.events", number))
}

// findSegments lists the files of a folder, oldest first, and the number that
// the next one gets.
func findSegments(dir string) (found []segment, next uint64, err error) {
	paths, err := listEvents(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, path := range paths { // sorted by name, thus by number
		var number uint64
		if _, err := fmt.Sscanf(filepath.Base(path), "%d.events", &number); err != nil {
			continue // somebody else's
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, 0, err
		}
		found, next = append(found, segment{path: path, size: info.Size()}), number+1
	}
	return found, next, nil
}

// listEvents does not use a pattern: the folder's name may look like one.
func listEvents(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".events" && entry.Type().IsRegular() {
			paths = append(paths, filepath.Join(dir, entry.Name()))
		}
	}
	return paths, err
}

func encodeEvents(events []Event) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b) // ends each document with a newline
	encoder.SetEscapeHTML(false)
	for _, event := range events {
		if err := encoder.Encode(event); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// readSegment reads a file. A line that is damaged, half there or zeros as when
// the machine stopped while it was written, is left out and counted; the others
// are worth having.
func readSegment(path string) (events []Event, damaged int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	reader := bufio.NewReader(file)
	for {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(line) > 0 {
				damaged++
			}
			return events, damaged, nil
		}
		if err != nil {
			return nil, 0, err
		}
		var event Event
		if json.Unmarshal(line, &event) != nil || !event.one() {
			damaged++
			continue
		}
		events = append(events, event)
	}
}
