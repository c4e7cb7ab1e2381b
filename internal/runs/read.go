package runs

import (
	"bytes"
	"context"
	"errors"
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

func activeStatus(data []byte) (Status, error) {
	r, err := jobtree.DecodeRunRecord(data)
	if err != nil {
		return Status{}, err
	}
	return Status{Run: r.Shown(), request: &r.RunRequest, record: &r}, nil
}

// Get returns a run that waits, runs or has ended recently. Otherwise the error is
// jobrun.ErrUnknownRun.
func (s Store) Get(ctx context.Context, id string) (Status, error) {
	folders := append(s.waitingFolders(id), s.Tree.RunsActive(), s.Tree.RunsDone())
	status, found, err := s.findIn(ctx, id, folders[:len(folders)-1]...)
	// A run may move during the search. We read the folders in the order of its moves, so we can
	// only miss a run that moves back for a retry. If we miss it three times in a row, it doesn't
	// exist.
	for range 3 {
		for _, folder := range folders {
			if err != nil || found {
				return status, err
			}
			status, found, err = s.findIn(ctx, id, folder)
		}
	}
	if err == nil && !found {
		err = refuse(jobrun.ErrUnknownRun, "job %q has no run %q in the registry; if there was one, "+
			"it has ended and its outcome was dropped", s.Tree.Name(), jobtree.Shown(id))
	}
	return status, err
}

// findIn reads folders concurrently. It may miss a run that moves.
func (s Store) findIn(ctx context.Context, id string, folders ...string) (Status, bool, error) {
	paths, err := s.below(ctx, folders...)
	if err != nil {
		return Status{}, false, err
	}
	for _, path := range paths {
		parse := jobtree.ParseRunName
		if parent(path) == s.Tree.RunsDone() {
			parse = jobtree.ParseRunEnded
		}
		if _, of, ok := parse(base(path)); ok && of == id {
			return s.read(ctx, path)
		}
	}
	return s.findRecord(ctx, id, s.records(paths))
}

// records returns the paths of records among others.
func (s Store) records(paths []string) []string {
	active := s.Tree.RunsActive()
	return slices.DeleteFunc(paths, func(path string) bool { return parent(path) != active })
}

// waitingFolders returns the folders in which a run may wait, in the order of its moves.
func (s Store) waitingFolders(id string) []string {
	return []string{s.Tree.RunsBucket(jobtree.RunBucket(id, 0)), s.Tree.RunsBucket(jobtree.RunBucket(id, jobtree.RunLarge+1)), s.Tree.RunsQueue()}
}

// fewRecords is how many records are read one by one. Node names are shard numbers, so they don't
// identify a run's record.
const fewRecords = 32

func (s Store) findRecord(ctx context.Context, id string, paths []string) (status Status, found bool, err error) {
	var mu sync.Mutex
	err = s.readRecords(ctx, paths, func(path string, data []byte, version int32) {
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

// readRecords calls look for records, concurrently.
func (s Store) readRecords(ctx context.Context, paths []string, look func(path string, data []byte, version int32)) error {
	if len(paths) > fewRecords {
		err := s.readBatched(ctx, paths, look)
		if !errors.Is(err, zk.ErrUnsupported) {
			return err
		}
	}
	return each(ctx, len(paths), func(ctx context.Context, i int) error {
		data, stat, err := s.Client.Get(ctx, paths[i])
		if err == nil {
			look(paths[i], data, stat.Version)
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
func (s Store) readBatched(ctx context.Context, paths []string, look func(path string, data []byte, version int32)) error {
	const perRequest = 50
	return each(ctx, (len(paths)+perRequest-1)/perRequest, func(ctx context.Context, i int) error {
		var list []zk.Reading
		for _, path := range paths[i*perRequest : min((i+1)*perRequest, len(paths))] {
			list = append(list, zk.Reading{Path: path, Once: true})
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

// read reads the node of a run in any folder. It's false if the node is gone.
func (s Store) read(ctx context.Context, path string) (status Status, found bool, err error) {
	data, stat, err := s.get(ctx, path)
	if err != nil || stat.Czxid == 0 {
		return Status{}, false, err
	}
	switch parent(path) {
	case s.Tree.RunsDone():
		var o jobtree.RunOutcome
		o, err = jobtree.DecodeRunOutcome(data)
		status.Run = o.Shown()
	case s.Tree.RunsActive():
		status, err = activeStatus(data)
	default:
		var r jobtree.RunRequest
		r, err = jobtree.DecodeRunRequest(data)
		status = Status{Run: r.Shown(), request: &r}
		status.State = waitingState(time.UnixMilli(r.Due), s.Now())
	}
	status.path, status.version = path, stat.Version
	if err != nil {
		return Status{}, false, nil // A foreign node isn't a run.
	}
	return status, true, nil
}

// all reads nodes in order. It leaves out nodes that are gone.
func (s Store) all(ctx context.Context, paths []string) ([]Status, error) {
	return gather(ctx, len(paths), func(ctx context.Context, i int) (Status, bool, error) { return s.read(ctx, paths[i]) })
}

func (s Store) Active(ctx context.Context) ([]Status, error) {
	paths, err := s.below(ctx, s.Tree.RunsActive())
	if err != nil {
		return nil, err
	}
	return s.all(ctx, paths)
}

// Live reads all active runs of a job and at most so many waiting ones.
func (s Store) Live(ctx context.Context, most int) (l jobrun.List, err error) {
	var waiting []string
	var active []Status
	if err := readAll(ctx,
		func(ctx context.Context) (err error) { waiting, err = s.waitingPaths(ctx); return err },
		func(ctx context.Context) (err error) { active, err = s.Active(ctx); return err },
	); err != nil {
		return l, err
	}
	l.Active = plain(active)
	l.WaitingCount = len(waiting)
	next, err := s.all(ctx, waiting[:min(most, len(waiting))])
	l.Waiting = plain(next)
	return l, err
}

// List reads all active runs of a job and at most so many of the others.
func (s Store) List(ctx context.Context, most int) (l jobrun.List, err error) {
	var ended []string
	if err := readAll(ctx,
		func(ctx context.Context) (err error) { ended, err = s.below(ctx, s.Tree.RunsDone()); return err },
		func(ctx context.Context) (err error) { l, err = s.Live(ctx, most); return err },
	); err != nil {
		return jobrun.List{}, err
	}
	slices.Reverse(ended)
	l.EndedCount = len(ended)
	last, err := s.all(ctx, ended[:min(most, len(ended))])
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
