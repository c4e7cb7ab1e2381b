package runs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Status is a run and its position in the registry.
type Status struct {
	jobrun.Run

	path    string
	version int32
	request *jobtree.RunRequest
	record  *jobtree.RunRecord
}

func waitingStatus(data []byte, now time.Time) (Status, error) {
	r, err := jobtree.DecodeRunRequest(data)
	if err != nil {
		return Status{}, err
	}
	s := Status{Run: r.Shown(), request: &r}
	if s.State = jobrun.Queued; time.UnixMilli(r.Due).After(now) {
		s.State = jobrun.Scheduled
	}
	return s, nil
}

func activeStatus(data []byte) (Status, error) {
	r, err := jobtree.DecodeRunRecord(data)
	if err != nil {
		return Status{}, err
	}
	return Status{Run: r.Shown(), request: &r.RunRequest, record: &r}, nil
}

func endedStatus(data []byte) (Status, error) {
	o, err := jobtree.DecodeRunOutcome(data)
	if err != nil {
		return Status{}, err
	}
	return Status{Run: o.Shown()}, nil
}

// Get returns a run that waits, runs or has ended recently. Otherwise the error is
// jobrun.ErrUnknownRun.
func (s Store) Get(ctx context.Context, id string) (Status, error) {
	if status, found, err := s.findAtOnce(ctx, id); err != nil || found {
		return status, err
	}
	// A run may move during the search. We read the folders in the order of its moves, so we can
	// only miss a run that moves back for a retry. If we miss it three times in a row, it doesn't
	// exist.
	for range 3 {
		for _, find := range []func(context.Context, string) (Status, bool, error){s.findWaiting, s.findActive, s.findEnded} {
			status, found, err := find(ctx, id)
			if err != nil || found {
				return status, err
			}
		}
	}
	return Status{}, &refusal{jobrun.ErrUnknownRun, fmt.Sprintf("job %q has no run %q in the registry; if there was one, "+
		"it has ended and its outcome was dropped", s.Tree.Name(), jobtree.Shown(id))}
}

// findAtOnce reads all folders concurrently. It may miss a run that moves.
func (s Store) findAtOnce(ctx context.Context, id string) (Status, bool, error) {
	folders := append(s.waitingFolders(id), s.Tree.RunsActive())
	lists := make([][]string, len(folders))
	if err := each(ctx, len(folders), func(ctx context.Context, i int) (err error) {
		lists[i], err = s.children(ctx, folders[i])
		return err
	}); err != nil {
		return Status{}, false, err
	}
	last := len(folders) - 1
	for i, names := range lists[:last] {
		if k := waitingAs(names, id); k >= 0 {
			return s.read(ctx, folders[i]+"/"+names[k])
		}
	}
	return s.findRecord(ctx, id, lists[last])
}

func (s Store) findWaiting(ctx context.Context, id string) (Status, bool, error) {
	for _, folder := range s.waitingFolders(id) {
		names, err := s.children(ctx, folder)
		if err != nil {
			return Status{}, false, err
		}
		i := waitingAs(names, id)
		if i < 0 {
			continue
		}
		status, found, err := s.read(ctx, folder+"/"+names[i])
		if err != nil || found {
			return status, found, err
		}
	}
	return Status{}, false, nil
}

// waitingFolders returns the folders in which a run may wait, in the order of its moves.
func (s Store) waitingFolders(id string) []string {
	return []string{s.Tree.RunsBucket(jobtree.RunBucket(id, 0)), s.Tree.RunsBucket(jobtree.RunBucket(id, jobtree.RunLarge+1)), s.Tree.RunsQueue()}
}

// waitingAs returns the index of a run's name, or -1.
func waitingAs(names []string, id string) int {
	return slices.IndexFunc(names, func(name string) bool {
		_, of, ok := jobtree.ParseRunName(name)
		return ok && of == id
	})
}

func (s Store) findActive(ctx context.Context, id string) (Status, bool, error) {
	names, err := s.children(ctx, s.Tree.RunsActive())
	if err != nil {
		return Status{}, false, err
	}
	return s.findRecord(ctx, id, names)
}

// fewRecords is how many records are read one by one. Node names are shard numbers, so they don't
// identify a run's record.
const fewRecords = 32

// findRecord looks for a run in the named records.
func (s Store) findRecord(ctx context.Context, id string, names []string) (status Status, found bool, err error) {
	var mu sync.Mutex
	err = s.readRecords(ctx, names, func(path string, data []byte, version int32) {
		if plainID(id) && !bytes.Contains(data, []byte(id)) {
			return // Most records are others', so skip them without decoding.
		}
		if one, err := activeStatus(data); err == nil && one.ID == id { // A foreign node isn't a run.
			mu.Lock()
			defer mu.Unlock()
			one.path, one.version = path, version
			status, found = one, true
		}
	})
	return status, found, err
}

// readRecords calls look for the named records, concurrently.
func (s Store) readRecords(ctx context.Context, names []string, look func(path string, data []byte, version int32)) error {
	if len(names) > fewRecords {
		err := s.readBatched(ctx, names, look)
		if !errors.Is(err, zk.ErrUnsupported) {
			return err
		}
	}
	return each(ctx, len(names), func(ctx context.Context, i int) error {
		path := s.Tree.RunsActive() + "/" + names[i]
		data, stat, err := s.Client.Get(ctx, path)
		if err == nil {
			look(path, data, stat.Version)
		}
		return zk.Ignore(err, zk.ErrNoNode)
	})
}

// plainID reports whether an id is unchanged in JSON. Other characters may be escaped in several
// ways.
func plainID(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(c rune) bool {
		return c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z')
	})
}

// readBatched reads many records with few requests. ZooKeeper before 3.6 returns
// zk.ErrUnsupported.
func (s Store) readBatched(ctx context.Context, names []string, look func(path string, data []byte, version int32)) error {
	const perRequest = 50
	return each(ctx, (len(names)+perRequest-1)/perRequest, func(ctx context.Context, i int) error {
		var list []zk.Reading
		for _, name := range names[i*perRequest : min((i+1)*perRequest, len(names))] {
			list = append(list, zk.Reading{Path: s.Tree.RunsActive() + "/" + name, Once: true})
		}
		read, err := s.Client.Many().ReadAll(ctx, list)
		if err != nil {
			return err
		}
		for k, r := range read {
			switch {
			case r.Err == nil:
				look(list[k].Path, r.Data, r.Stat.Version)
			case !errors.Is(r.Err, zk.ErrNoNode):
				return r.Err
			}
		}
		return nil
	})
}

func (s Store) findEnded(ctx context.Context, id string) (Status, bool, error) {
	names, err := s.children(ctx, s.Tree.RunsDone())
	i := slices.IndexFunc(names, func(name string) bool {
		_, of, ok := jobtree.ParseRunEnded(name)
		return ok && of == id
	})
	if err != nil || i < 0 {
		return Status{}, false, err
	}
	return s.read(ctx, s.Tree.RunsDone()+"/"+names[i])
}

// read reads the node of a run in any folder. It's false if the node is gone.
func (s Store) read(ctx context.Context, path string) (status Status, found bool, err error) {
	data, stat, err := s.Client.Get(ctx, path)
	if errors.Is(err, zk.ErrNoNode) {
		return Status{}, false, nil
	}
	if err != nil {
		return Status{}, false, err
	}
	switch parent(path) {
	case s.Tree.RunsDone():
		status, err = endedStatus(data)
	case s.Tree.RunsActive():
		status, err = activeStatus(data)
	default:
		status, err = waitingStatus(data, s.Now())
	}
	status.path, status.version = path, stat.Version
	if err != nil {
		return Status{}, false, nil // A foreign node isn't a run.
	}
	return status, true, nil
}

// all reads nodes in order. It leaves out nodes that are gone.
func (s Store) all(ctx context.Context, paths []string) ([]Status, error) {
	list, there := make([]Status, len(paths)), make([]bool, len(paths))
	err := each(ctx, len(paths), func(ctx context.Context, i int) (err error) {
		list[i], there[i], err = s.read(ctx, paths[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	var found []Status
	for i, one := range list {
		if there[i] {
			found = append(found, one)
		}
	}
	return found, nil
}

// Active lists the active runs.
func (s Store) Active(ctx context.Context) ([]Status, error) {
	names, err := s.children(ctx, s.Tree.RunsActive())
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = s.Tree.RunsActive() + "/" + name
	}
	return s.all(ctx, paths)
}

// Live reads all active runs of a job and at most so many waiting ones.
func (s Store) Live(ctx context.Context, most int) (l jobrun.List, err error) {
	var waiting []string
	if err := each(ctx, 2, func(ctx context.Context, i int) (err error) {
		if i == 0 {
			waiting, err = s.waitingPaths(ctx)
			return err
		}
		active, err := s.Active(ctx)
		l.Active = plain(active)
		return err
	}); err != nil {
		return jobrun.List{}, err
	}
	l.WaitingCount = len(waiting)
	next, err := s.all(ctx, waiting[:min(most, len(waiting))])
	l.Waiting = plain(next)
	return l, err
}

// List reads all active runs of a job and at most so many of the others.
func (s Store) List(ctx context.Context, most int) (l jobrun.List, err error) {
	var ended []string
	if err := each(ctx, 2, func(ctx context.Context, i int) (err error) {
		if i == 0 {
			ended, err = s.children(ctx, s.Tree.RunsDone())
			return err
		}
		l, err = s.Live(ctx, most)
		return err
	}); err != nil {
		return jobrun.List{}, err
	}
	slices.Reverse(ended)
	l.EndedCount = len(ended)
	ended = ended[:min(most, len(ended))]
	for i, name := range ended {
		ended[i] = s.Tree.RunsDone() + "/" + name
	}
	last, err := s.all(ctx, ended)
	l.Ended = plain(last)
	return l, err
}

// plain returns the runs without their positions.
func plain(list []Status) []jobrun.Run {
	var all []jobrun.Run
	for _, s := range list {
		all = append(all, s.Run)
	}
	return all
}
