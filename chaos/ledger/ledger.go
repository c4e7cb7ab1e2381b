package ledger

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// The kinds of ledger lines.
const (
	Began   = "begin"   // a handler was called
	Ended   = "end"     // it returns
	Session = "session" // the state of the session changed
	Row     = "row"     // an execution was passed to the recorder of traces
	Usage   = "usage"   // the process's use of resources
)

// The outcomes of an execution.
const (
	Done      = "done"
	Failed    = "failed"    // with an error, as planned
	Cancelled = "cancelled" // its context ended and the handler obeyed
)

// Record is one line.
type Record struct {
	What string `json:"what"`
	Mono int64  `json:"mono"` // ns of the machine's clock that never steps
	Wall int64  `json:"wall"` // µs since 1970
	PID  int    `json:"pid"`

	Run     int64  `json:"run,omitempty"` // Began, Ended: number of the execution in its process, from 1
	Job     string `json:"job,omitempty"`
	Item    int    `json:"item"`
	Source  string `json:"source,omitempty"`
	Fire    int64  `json:"fire,omitempty"` // µs since 1970
	Token   int64  `json:"token,omitempty"`
	Task    string `json:"task,omitempty"`
	Outcome string `json:"outcome,omitempty"` // Ended
	State   string `json:"state,omitempty"`   // Session

	ID       string `json:"id,omitempty"`       // Row
	Complete bool   `json:"complete,omitempty"` // Row: the end of the execution
	Success  bool   `json:"success,omitempty"`  // Row: without an error

	Goroutines int   `json:"goroutines,omitempty"`
	Heap       int64 `json:"heap,omitempty"` // live bytes after the last collection
}

// Writer writes a ledger. It's safe for concurrent use.
type Writer struct {
	file *os.File
	runs atomic.Int64
}

// Open opens a ledger for appending.
func Open(path string) (*Writer, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &Writer{file: file}, nil
}

// Next returns the number of the next execution.
func (w *Writer) Next() int64 { return w.runs.Add(1) }

// Write stamps a line and writes it.
func (w *Writer) Write(r Record) error {
	r.Mono, r.Wall, r.PID = Mono(), time.Now().UnixMicro(), os.Getpid()
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = w.file.Write(append(line, '\n'))
	return err
}

func (w *Writer) Close() error { return w.file.Close() }

// Read reads a ledger and passes each line to take.
func Read(path string, take func(Record)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	records := json.NewDecoder(bufio.NewReaderSize(file, 1<<20))
	for number := 1; ; number++ {
		var r Record
		switch err := records.Decode(&r); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil // The last line may be cut off.
		case err != nil:
			return fmt.Errorf("%s: line %d: %w", path, number, err)
		}
		take(r)
	}
}
