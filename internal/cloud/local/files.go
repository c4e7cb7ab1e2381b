package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

const (
	runsFolder = "runs"
	lockName   = "lock"
	runName    = "run.json"   // of a run: its configuration
	stateName  = "state.json" // of a run: its state
	workFolder = "work"       // of a shard: the working folder
	taskName   = "task.json"  // of an attempt: the shim's task
	claimName  = "start-"     // of an attempt, followed by the task's token: the process that starts it
	childName  = "child.json" // of an attempt: the program's process
	stopName   = "stop.json"  // of an attempt: why it's being ended
	endName    = "end.json"   // of an attempt: its result
	tokenName  = "token"      // of an attempt: for reports of its runs
	secretName = "secret"     // of the engine: signs tokens
	logName    = "log."       // of an attempt, followed by a number
)

const maxFile = 4 << 20

type runFile struct {
	Run     cloud.Run
	Created time.Time
	Program program
	// Version identifies the configuration of a DAEMON job's programs. A new version restarts the processes.
	Version string `json:",omitempty"`
}

// stateFile is the state of a run that its attempts don't have.
type stateFile struct {
	// Started is when it was admitted. Its timeout counts from then.
	Started   time.Time            `json:",omitzero"`
	Suspended bool                 `json:",omitempty"`
	Stop      *cloud.Ending        `json:",omitempty"`
	Stopped   map[int]cloud.Ending `json:",omitempty"` // single shards
	Ended     time.Time            `json:",omitzero"`
	State     cloud.RunState       `json:",omitempty"`
	Message   string               `json:",omitempty"`
}

type taskFile struct {
	// Token changes each time the file is written, so a late shim notices that its task was given
	// to another one.
	Token    string
	Program  program
	Env      []string
	Folder   string
	Grace    time.Duration
	Deadline time.Time `json:",omitzero"`
	Version  string    `json:",omitempty"` // of the run's file
	Account  *Account  `json:",omitempty"`
}

// claimFile is the process that starts an attempt. PID 0 is an engine that found the attempt unstarted.
type claimFile struct {
	PID     int
	Started uint64 // of the process, in the kernel's unit
	Boot    string
}

type childFile struct {
	PID     int
	Started time.Time
}

type endFile struct {
	Started time.Time `json:",omitzero"` // zero if it never started
	Ended   time.Time
	Exit    int    `json:",omitempty"`
	Signal  string `json:",omitempty"`
	// Error is why the program could not be started.
	Error string `json:",omitempty"`
	// Unfetched is why its archive was missing, possibly temporarily.
	Unfetched string `json:",omitempty"`
	// Lost is why its result is unknown.
	Lost     string        `json:",omitempty"`
	TimedOut bool          `json:",omitempty"`
	Stop     *cloud.Ending `json:",omitempty"`
	// Outside means that it was ended from outside.
	Outside bool `json:",omitempty"`
	// Forced means that it ignored SIGTERM for its grace.
	Forced bool `json:",omitempty"`
	// Tail is the end of its log if it failed.
	Tail string `json:",omitempty"`
}

// writeFile writes a file atomically and durably, even across a power failure.
func writeFile(path string, value any) error { return replaceFile(path, value, true) }

// noteFile is writeFile without durability, because a power failure ends the programs anyway.
func noteFile(path string, value any) error { return replaceFile(path, value, false) }

func replaceFile(path string, value any, durable bool) error {
	temporary, err := writeTemporary(path, value, durable)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		_ = os.Remove(temporary)
		return err
	}
	if !durable {
		return nil
	}
	return syncFolder(filepath.Dir(path))
}

// claim creates a file; fs.ErrExist if another process was faster.
func claim(path string, value any) error {
	temporary, err := writeTemporary(path, value, true)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temporary) }()
	if err := os.Link(temporary, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

func writeTemporary(path string, value any, durable bool) (name string, err error) {
	data, err := json.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("encode %s: %w", path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if durable {
		err = errors.Join(err, f.Sync())
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("write %s: %w", path, err)
	}
	return f.Name(), nil
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// readFile reads one of our files. It returns false if it doesn't exist.
func readFile(path string, into any) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return false, err
	case len(data) > maxFile:
		return false, fmt.Errorf("%s has more than %d bytes, so the engine did not write it", path, maxFile)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return true, nil
}

func claimPath(folder, token string) string {
	return filepath.Join(folder, claimName+token+".json")
}
