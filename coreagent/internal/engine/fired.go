package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// What Java has no place for: the newest fire time that was completed for each
// item, below the job's extension node. It is written in the transaction that
// clears the running marks, so it costs no request. Java ignores it; losing it
// loses the catching up of a missed fire time and nothing else.

// fired is an item's record.
type fired struct {
	at       time.Time // the fire time that was completed
	instance string    // who completed it
}

func (j *Job) firedRoot() string      { return j.tree.Extension() + "/fired" }
func (j *Job) firedPath(n int) string { return j.firedRoot() + "/" + strconv.Itoa(n) }

func (f fired) encode() []byte {
	return []byte(strconv.FormatInt(f.at.UnixMilli(), 10) + " " + f.instance)
}

func decodeFired(data []byte) (fired, bool) {
	millis, instance, ok := strings.Cut(string(data), " ")
	at, err := strconv.ParseInt(millis, 10, 64)
	if !ok || err != nil {
		return fired{}, false
	}
	return fired{time.UnixMilli(at), instance}, true
}

// lastFired reads an item's record; false if there is none that can be read.
func (j *Job) lastFired(ctx context.Context, n int) (fired, bool, error) {
	data, _, err := j.env.Client.Get(ctx, j.firedPath(n))
	if err != nil {
		return fired{}, false, ignore(err, zk.ErrNoNode)
	}
	f, ok := decodeFired(data)
	return f, ok, nil
}

// due returns the newest fire time in (after, now], false if there is none.
// Several missed fire times count as one, as everywhere in ElasticJob.
func due(schedule *quartz.Expression, zone *time.Location, after, now time.Time) (time.Time, bool) {
	first, ok := schedule.Next(after, zone)
	if !ok || first.After(now) {
		return time.Time{}, false
	}
	// Walk back from now in growing strides instead of forward from after,
	// which may be years ago.
	for stride := time.Minute; now.Add(-stride).After(first); stride *= 4 {
		if t, ok := schedule.Next(now.Add(-stride), zone); ok && !t.After(now) {
			first = t
			break
		}
	}
	last := first
	for {
		next, ok := schedule.Next(last, zone)
		if !ok || next.After(now) {
			return last, true
		}
		last = next
	}
}

// missedItems tells which of the items that change hands have missed a fire
// time: their owner recorded one, and the schedule has a later one that is
// past. It happens when an owner dies before the fire time and its session
// outlives it, or when an item moves between two instances just then. The new
// owner finds a misfire mark and makes up for it, Java's too.
func (j *Job) missedItems(ctx context.Context, p *plan, owners map[int]string) ([]int, error) {
	if !p.config.Misfire || !p.config.MonitorExecution || p.config.Cron == "" {
		return nil, nil
	}
	schedule, err := quartz.Parse(p.config.Cron)
	if err != nil {
		return nil, err
	}
	zone, err := quartz.ParseTimeZone(p.config.TimeZone)
	if err != nil {
		return nil, err
	}
	next := make(map[int]string, p.config.Shards)
	for id, items := range p.wanted {
		for _, n := range items {
			next[n] = id
		}
	}
	var candidates []int
	for n := range p.config.Shards {
		nodes := p.items[n]
		switch owner := owners[n]; {
		case owner == "", owner == next[n], nodes.failover, nodes.misfire:
		case slices.Contains(p.alive, owner) && !slices.Contains(p.available, owner):
			// Its server was disabled: not firing was the operator's will.
		default:
			candidates = append(candidates, n)
		}
	}
	missed := make([]bool, len(candidates))
	err = each(ctx, len(candidates), func(ctx context.Context, i int) error {
		n := candidates[i]
		if _, offered, err := j.env.Client.Exists(ctx, j.tree.FailoverItem(n)); offered || err != nil {
			return err // It runs again anyway.
		}
		last, ok, err := j.lastFired(ctx, n)
		if err != nil || !ok || last.instance != owners[n] {
			return err // Its owner keeps no records: nobody can say what it ran.
		}
		_, missed[i] = due(schedule, zone, last.at, time.Now())
		return nil
	})
	var list []int
	for i, n := range candidates {
		if missed[i] {
			list = append(list, n)
		}
	}
	return list, err
}

// ensureFired makes the record nodes of items that this process completes for
// the first time.
func (j *Job) ensureFired(ctx context.Context, items []int) error {
	if err := j.ensure(ctx, j.firedRoot(), zk.Persistent); err != nil {
		return err
	}
	return each(ctx, len(items), func(ctx context.Context, i int) error {
		_, err := j.env.Client.Create(ctx, j.firedPath(items[i]), nil, zk.Persistent)
		if errors.Is(err, zk.ErrNodeExists) {
			return nil
		}
		return err
	})
}
