package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// The files of a run and of an attempt.
const (
	runsFolder = "runs"
	lockName   = "lock"
	runName    = "run.json"   // of a run: what it is
	stateName  = "state.json" // of a run: what became of it
	workFolder = "work"       // of a shard: the working folder
	taskName   = "task.json"  // of an attempt: what the shim is to do
	claimName  = "start-"     // of an attempt, with the task's token behind it: who starts it
	childName  = "child.json" // of an attempt: the program's process
	stopName   = "stop.json"  // of an attempt: why it is being ended
	endName    = "end.json"   // of an attempt: how it ended
	tokenName  = "token"      // of an attempt: by which it reports its runs
	secretName = "secret"     // of the engine: which makes tokens
	logName    = "log."       // of an attempt, with a number behind it
)

// maxFile bounds what is read of a file of ours.
const maxFile = 4 << 20

// runFile is what a run is.
type runFile struct {
	Run     cloud.Run
	Created time.Time
	Program program
	// Version tells apart what programs of a DAEMON job are started as: another one has its
	// processes begin anew.
	Version string `json:",omitempty"`
}

// stateFile is what became of a run, as far as its attempts do not say it.
type stateFile struct {
	// Started is when it was admitted; its time-out counts from then.
	Started   time.Time            `json:",omitzero"`
	Suspended bool                 `json:",omitempty"`
	Stop      *cloud.Ending        `json:",omitempty"`
	Stopped   map[int]cloud.Ending `json:",omitempty"` // single shards
	Ended     time.Time            `json:",omitzero"`
	State     cloud.RunState       `json:",omitempty"`
	Message   string               `json:",omitempty"`
}

// taskFile is what a shim is to do.
type taskFile struct {
	// Token is another one each time the file is written: a shim that comes late finds out
	// that its task was given to another one.
	Token    string
	Program  program
	Env      []string
	Folder   string
	Grace    time.Duration
	Deadline time.Time `json:",omitzero"`
	Version  string    `json:",omitempty"` // of the run's file
	Account  *Account  `json:",omitempty"`
}

// claimFile says who starts an attempt. PID 0 is an engine that has found it not started.
type claimFile struct {
	PID     int
	Started uint64 // of the process, in the kernel's unit
	Boot    string
}

// childFile is the process of the program.
type childFile struct {
	PID     int
	Started time.Time
}

// endFile is how an attempt ended.
type endFile struct {
	Started time.Time `json:",omitzero"` // zero if it never began
	Ended   time.Time
	Exit    int    `json:",omitempty"`
	Signal  string `json:",omitempty"`
	// Error says why the program could not be started.
	Error string `json:",omitempty"`
	// Unfetched says why its archive was not there, which may pass.
	Unfetched string `json:",omitempty"`
	// Lost says why nobody knows how it ended.
	Lost     string        `json:",omitempty"`
	TimedOut bool          `json:",omitempty"`
	Stop     *cloud.Ending `json:",omitempty"`
	// Outside: somebody else has ended it.
	Outside bool `json:",omitempty"`
	// Forced: it did not heed SIGTERM within its grace.
	Forced bool `json:",omitempty"`
	// Tail is the end of its log, if it failed.
	Tail string `json:",omitempty"`
}

// writeFile writes a file of ours so that it is there as a whole or not at all, also after
// a failure of power.
func writeFile(path string, value any) error {
	if err := replaceFile(path, value, true); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// noteFile is writeFile for what a failure of power may take: what runs then is lost anyway.
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
	return nil
}

// claim writes a file that must not exist; fs.ErrExist if somebody else was faster.
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

// readFile reads a file of ours; false if there is none.
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
		return false, fmt.Errorf("%s has more than %d bytes: it is none of ours", path, maxFile)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return true, nil
}

func claimPath(folder, token string) string {
	return filepath.Join(folder, claimName+token+".json")
}

func attemptFolder(runFolder string, shard, attempt int) string {
	return filepath.Join(runFolder, strconv.Itoa(shard), strconv.Itoa(attempt))
}
