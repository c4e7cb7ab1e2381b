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
	// segmentBytes is the size at which the spool starts a new file. It reads a whole file into memory.
	segmentBytes = 1 << 20
	// drainBatch is the number of events written at once from a file.
	drainBatch = 600
)

// segment is a file of events, one JSON document per line. A version that doesn't know a kind of
// event counts its lines as damaged and reads the others.
type segment struct {
	path   string
	size   int64
	events int // 0 for a file of an earlier process
}

func segmentPath(dir string, number uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%016d.events", number))
}

// findSegments returns the files of a folder, oldest first, and the number for the next file.
func findSegments(dir string) (found []segment, next uint64, err error) {
	paths, err := listEvents(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, path := range paths { // sorted by name, so by number
		var number uint64
		if _, err := fmt.Sscanf(filepath.Base(path), "%d.events", &number); err != nil {
			continue // not our file
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, 0, err
		}
		found, next = append(found, segment{path: path, size: info.Size()}), number+1
	}
	return found, next, nil
}

// listEvents doesn't use a pattern, because the folder's name may look like one.
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

// readSegment reads a file. It skips and counts damaged lines: incomplete lines, or lines of zeros
// after the machine stopped during a write.
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
