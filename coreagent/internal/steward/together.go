package steward

import (
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// mostTogether is how many nodes one request to ZooKeeper reads.
const mostTogether = 50

// readRung reads the new request in the queue if the bell names it; otherwise it returns no names,
// and the queue must be listed. The queue was empty, and adding a request rings the bell in the
// same transaction, so there can't be another. That's only true of an empty queue, because cancels
// don't ring the bell.
func (s *Steward) readRung(ctx context.Context, f Fleet, data []byte, bell rung) (names []string, known map[string]waiting, err error) {
	known = make(map[string]waiting)
	if s.listed == nil || len(s.listed) > 0 || s.rung.czxid != bell.czxid || s.rung.version+1 != bell.version {
		return nil, known, nil
	}
	queue, name := runs.ParseSignal(string(data))
	if !queue || name == "" {
		return nil, known, nil
	}
	w, there, err := s.readOnly(ctx, f, s.store.Tree.RunsQueued(name))
	if err != nil || !there { // It was claimed or cancelled, or the bell is wrong.
		return nil, known, err
	}
	w.data, known[name] = nil, w
	return []string{name}, known, nil
}

// seen was read together with a request, by the same ZooKeeper request.
type seen struct {
	behind string // the path of the request
	off    []bool // the disabled shards
	idle   bool   // there are no records
}

// readOnly reads the only request of the queue. Because this step most likely opens it, the same
// ZooKeeper request also reads which shards are disabled and whether there are records.
func (s *Steward) readOnly(ctx context.Context, f Fleet, path string) (w waiting, there bool, err error) {
	if f.Settings.Assign != jobrun.AssignEach || f.Config.Shards > mostTogether-2 {
		return s.read(ctx, path)
	}
	list := []zk.Reading{{Path: path, Once: true}, {Path: s.store.Tree.RunsActive(), Children: true, Once: true}}
	for n := range f.Config.Shards {
		list = append(list, zk.Reading{Path: s.store.Tree.ItemDisabled(n), Once: true})
	}
	read, err := s.store.Client.Many().ReadAll(ctx, list)
	if errors.Is(err, zk.ErrUnsupported) {
		return s.read(ctx, path)
	}
	if err != nil {
		return waiting{}, false, err
	}
	off, err := disabledOf(read[2:])
	if err != nil {
		return waiting{}, false, err
	}
	s.seen = seen{path, off, read[1].Err == nil && len(read[1].Children) == 0}
	return s.decode(ctx, path, read[0].Data, read[0].Stat, read[0].Err)
}

// disabledOf returns which shards are disabled, from the results of reading their markers in order.
func disabledOf(read []zk.Read) (off []bool, err error) {
	off = make([]bool, len(read))
	for n, r := range read {
		if err := zk.Ignore(r.Err, zk.ErrNoNode); err != nil {
			return nil, err
		}
		off[n] = r.Err == nil
	}
	return off, nil
}

// disabled returns the disabled shards. It reads them after the request at a path, so it sees a
// shard that was disabled before the request.
func (s *Steward) disabled(ctx context.Context, request string, wanted []int) (disabled []int, err error) {
	off := make([]bool, len(wanted))
	if s.seen.behind == request {
		for i, n := range wanted {
			off[i] = n < len(s.seen.off) && s.seen.off[n] // A shard that the job doesn't have fails.
		}
	} else if off, err = s.readDisabled(ctx, wanted); err != nil {
		return nil, err
	}
	for i, n := range wanted {
		if off[i] {
			disabled = append(disabled, n)
		}
	}
	return disabled, nil
}

// readDisabled reads which shards are disabled, in few requests if ZooKeeper is 3.6 or newer.
func (s *Steward) readDisabled(ctx context.Context, wanted []int) ([]bool, error) {
	list := make([]zk.Reading, len(wanted))
	for i, n := range wanted {
		list[i] = zk.Reading{Path: s.store.Tree.ItemDisabled(n), Once: true}
	}
	read, err := s.store.Client.Many().ReadAll(ctx, list)
	if err == nil {
		return disabledOf(read)
	}
	if !errors.Is(err, zk.ErrUnsupported) {
		return nil, err
	}
	off := make([]bool, len(wanted))
	err = nodes.Each(ctx, len(wanted), func(ctx context.Context, i int) (err error) {
		_, off[i], err = s.store.Client.Exists(ctx, list[i].Path)
		return err
	})
	return off, err
}
