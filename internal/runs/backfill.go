package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// ByBackfill is the origin of a backfill's requests.
const ByBackfill = "backfill"

const (
	// mostCounted bounds the times read from a cron expression, because some expressions have one
	// for each second of a century.
	mostCounted = 2 * jobrun.MostBackfilled
	// mostRefused bounds the list of times that the schedule leaves out.
	mostRefused = 1000
	// keptBackfills is how many backfills of a job stay in the registry.
	keptBackfills = 20
)

// PlanBackfill returns the fire times that a backfill would run, by a job's configuration.
func PlanBackfill(job string, config *jobconfig.Config, b jobrun.Backfill, now time.Time) (plan jobrun.BackfillPlan, err error) {
	wrong := func(format string, args ...any) error { return refuse(jobrun.ErrOptions, format, args...) }
	switch {
	case b.From.IsZero():
		return plan, wrong("From: is missing")
	case b.To.IsZero():
		return plan, wrong("To: is missing")
	case b.To.Before(b.From):
		return plan, wrong("To: %s is before From", b.To.Format(time.RFC3339))
	case b.To.After(now):
		return plan, wrong("To: %s has yet to come; only past fire times are backfilled", b.To.Format(time.RFC3339))
	case b.Parallel < 0 || b.Parallel > jobrun.MostBackfillParallel:
		return plan, wrong("Parallel: %d is not allowed; want 1 to %d, or 0 for %[2]d", b.Parallel, jobrun.MostBackfillParallel)
	case config.Cron == "":
		return plan, refuse(jobrun.ErrNoSchedule, "job %q has no cron expression, and so no fire times", job)
	}
	rules := quartz.RulesOf(job, config.Props)
	schedule, err := rules.Parse(config.Cron)
	if err != nil {
		return plan, refuse(jobrun.ErrNoSchedule, "the schedule of job %q cannot be read: %v", job, err)
	}
	zone, err := rules.Location(config.TimeZone)
	if err != nil {
		return plan, refuse(jobrun.ErrNoSchedule, "the time zone of job %q cannot be read: %v", job, err)
	}
	plan.ZoneAssumed = config.TimeZone == "" && rules.Zone == ""
	count, looked, more := 0, 0, ""
	for fire := range schedule.Fires(b.From.Add(-time.Nanosecond), zone) {
		if fire.Nominal.After(b.To) {
			break
		}
		if looked++; looked > mostCounted {
			more = "more than "
			break
		}
		if fire.Refused == "" {
			if count++; count <= jobrun.MostBackfilled {
				plan.Times = append(plan.Times, fire.Nominal)
			}
			continue
		}
		if plan.RefusedCount++; plan.RefusedCount <= mostRefused {
			plan.Refused = append(plan.Refused, jobrun.RefusedTime{At: fire.Nominal, Property: fire.Refused})
		}
	}
	if count > jobrun.MostBackfilled || more != "" {
		return jobrun.BackfillPlan{}, wrong("%s%d fire times; at most %d at once", more, max(count, jobrun.MostBackfilled), jobrun.MostBackfilled)
	}
	return plan, nil
}

// CheckBackfill checks the parameters of a backfill as its first request would, and whether the
// job's agents support backfills. Otherwise a preview could show a backfill that is refused later.
func (s Store) CheckBackfill(ctx context.Context, b jobrun.Backfill) error {
	if err := runparams.CheckJSON(b.Params); err != nil {
		return err
	}
	r := jobrun.Request{Params: b.Params, By: b.By}
	at, err := s.look(ctx, r)
	if err != nil {
		return err
	}
	if err := at.check(r); err != nil {
		return err
	}
	agents, err := s.Capable(ctx)
	if err != nil {
		return err
	}
	return each(ctx, len(agents), func(ctx context.Context, i int) error {
		data, _, err := s.Client.Get(ctx, s.Tree.Agent(agents[i]))
		if err == nil && !ParseAgent(data).Backfills {
			return refuse(jobrun.ErrBackfilling, "instance %s of job %q runs a version without backfills; upgrade it first", agents[i], s.Tree.Name())
		}
		return zk.Ignore(err, zk.ErrNoNode)
	})
}

// StartBackfill stores a backfill for the sorted fire times. The job's steward requests its runs,
// see [Store.FeedBackfill]. It retries until ctx ends.
func (s Store) StartBackfill(ctx context.Context, times []time.Time, b jobrun.Backfill) (jobrun.BackfillProgress, error) {
	if len(times) == 0 {
		return jobrun.BackfillProgress{}, refuse(jobrun.ErrOptions, "From: job %q has no fire time from there to To", s.Tree.Name())
	}
	now := s.Now().Truncate(time.Millisecond)
	node := jobtree.Backfill{
		Version: 1, ID: NewID(now), At: now.UnixMilli(), By: jobtree.RunBy(b.By), From: b.From.UnixMilli(), To: b.To.UnixMilli(),
		Params: runparams.Canonical(b.Params), Parallel: cmp.Or(b.Parallel, jobrun.MostBackfillParallel), Total: len(times),
	}
	if err := s.untilDone(ctx, func() error { return s.storeBackfill(ctx, node, times) }); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	return s.Backfill(ctx, node.ID)
}

// untilDone retries do until it succeeds, fails permanently, or ctx ends. It creates missing
// folders.
func (s Store) untilDone(ctx context.Context, do func() error) error {
	for {
		err := do()
		if err == nil {
			return nil
		}
		if refused, ok := errors.AsType[*zk.MultiError](err); ok && errors.Is(err, zk.ErrNoNode) {
			if prepared := s.prepare(ctx, refused.Op.Path); prepared != nil {
				err = prepared
			}
		}
		if err := s.again(ctx, err); err != nil {
			return err
		}
	}
}

// storeBackfill creates the nodes of a backfill unless they exist. It deletes the oldest backfills
// to make room.
func (s Store) storeBackfill(ctx context.Context, b jobtree.Backfill, times []time.Time) error {
	folder := s.Tree.RunsBackfills()
	current, stat, err := s.get(ctx, folder)
	if err == nil && stat.Czxid == 0 {
		err = s.prepare(ctx, folder) // A new folder has the version of stat, 0.
	}
	if err != nil {
		return err
	}
	names, err := s.Children(ctx, folder)
	if err != nil || slices.Contains(names, b.ID) {
		return err
	}
	if err := s.underWay(ctx, string(current)); err != nil {
		return err
	}
	data, err := b.Encode()
	ops := []zk.Op{
		zk.CheckOp(s.Tree.Config(), zk.AnyVersion), zk.SetOp(folder, []byte(b.ID), stat.Version),
		zk.CreateOp(s.Tree.RunsBackfill(b.ID), data, zk.Persistent), zk.CreateOp(s.Tree.RunsBackfillTimes(b.ID), jobtree.EncodeTimes(times), zk.Persistent),
		s.Signal(),
	}
	for _, old := range names[:max(0, len(names)+1-keptBackfills)] { // Ids sort by time.
		ops = append(ops, zk.DeleteOp(s.Tree.RunsBackfillTimes(old), zk.AnyVersion), zk.DeleteOp(s.Tree.RunsBackfill(old), zk.AnyVersion))
	}
	if err != nil {
		return err
	}
	return s.Client.Multi(ctx, ops...)
}

func (s Store) underWay(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	p, err := s.Backfill(ctx, id)
	if errors.Is(err, jobrun.ErrUnknownBackfill) {
		return nil
	}
	if err == nil && !p.State.Ended() {
		err = refuse(jobrun.ErrBackfilling, "backfill %s of job %q is under way; wait for its end, or cancel it", id, s.Tree.Name())
	}
	return err
}

func (s Store) readBackfill(ctx context.Context, id string) (b jobtree.Backfill, version int32, err error) {
	unknown := func(text string) error {
		return refuse(jobrun.ErrUnknownBackfill, "job %q has no backfill %q%s", s.Tree.Name(), jobtree.Shown(id), text)
	}
	if !plainID(id) {
		return b, 0, unknown("")
	}
	data, stat, err := s.get(ctx, s.Tree.RunsBackfill(id))
	switch {
	case err != nil:
		return b, 0, err
	case stat.Czxid == 0:
		return b, 0, unknown(fmt.Sprintf(" in the registry, which keeps the last %d", keptBackfills))
	}
	if b, err = jobtree.DecodeBackfill(data); err != nil || b.ID != id {
		return b, 0, unknown(" that this version can read")
	}
	return b, stat.Version, nil
}

func (s Store) times(ctx context.Context, b jobtree.Backfill) ([]time.Time, error) {
	data, _, err := s.get(ctx, s.Tree.RunsBackfillTimes(b.ID))
	if err != nil {
		return nil, err
	}
	times, err := jobtree.DecodeTimes(data)
	if err != nil || len(times) != b.Total {
		return nil, refuse(jobrun.ErrFormat, "the fire times of backfill %s of job %q can't be read; cancel it", b.ID, s.Tree.Name())
	}
	return times, nil
}

// liveRuns lists the runs that haven't ended. A run that moves during the call is in both lists.
func (s Store) liveRuns(ctx context.Context) (waiting, active []string, err error) {
	paths, err := s.waitingPaths(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		_, id, _ := jobtree.ParseRunName(base(path))
		waiting = append(waiting, id)
	}
	list, err := s.Active(ctx)
	for _, run := range list {
		active = append(active, run.ID)
	}
	return waiting, active, err
}

func ofBackfill(b jobtree.Backfill, ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, own := b.RunNumber(id); return !own })
}

// FeedBackfill requests the next runs of a backfill, up to its Parallel, and ends the backfill
// after its last run. It also completes an interrupted cancel. It returns the number of queued and
// running runs. Each portion and the number of requested runs are in one transaction, so the next
// call continues at the right place.
func (s Store) FeedBackfill(ctx context.Context, id string) (live int, err error) {
	b, version, err := s.readBackfill(ctx, id)
	if err != nil || b.Ended != 0 {
		return 0, err
	}
	if b.Cancelled != nil {
		if err := s.cancelRuns(ctx, b); err != nil {
			return 0, err
		}
	}
	waiting, active, err := s.liveRuns(ctx)
	if err != nil {
		return 0, err
	}
	own := ofBackfill(b, append(waiting, active...))
	slices.Sort(own)
	live = len(slices.Compact(own))
	room := min(b.Parallel-live, b.Total-b.Placed)
	switch complete := b.Cancelled != nil || b.Placed == b.Total; {
	case complete && live == 0:
		return 0, s.endBackfill(ctx, b, version)
	case complete || room <= 0:
		return live, nil
	}
	placed, err := s.placeBackfill(ctx, b, version, room)
	switch {
	case err == nil || zk.Retriable(err):
		return live + placed, err
	case Refused(err): // Something has changed in the meantime, so the next call tries again.
		return live, nil
	case b.Problem == err.Error():
		return live, nil
	}
	b.Problem = err.Error()
	return live, s.writeBackfill(ctx, b, version)
}

// placeBackfill requests at most so many of the next runs and returns their number.
func (s Store) placeBackfill(ctx context.Context, b jobtree.Backfill, version int32, most int) (int, error) {
	times, err := s.times(ctx, b)
	if err != nil {
		return 0, err
	}
	now := s.Now()
	var list []jobrun.Request
	var asked []jobrun.Ticket
	by := b.By.Shown()
	by.Kind = ByBackfill
	for i, at := range times[b.Placed : b.Placed+most] {
		// A person has chosen the times, so a hold of the schedule doesn't apply.
		list = append(list, jobrun.Request{Params: b.Params, By: by, Manual: true, FireTime: at, Overlap: jobrun.OverlapQueue, Backfill: b.ID})
		asked = append(asked, jobrun.Ticket{ID: b.RunID(b.Placed + i), Due: wholeMillis(now, now)})
	}
	t, err := s.submission(now).plan(ctx, list, asked, nil)
	if err != nil {
		return 0, err
	}
	b.Placed, b.Problem = b.Placed+len(t.tickets), ""
	return len(t.tickets), s.writeBackfill(ctx, b, version, t.ops...)
}

func (s Store) writeBackfill(ctx context.Context, b jobtree.Backfill, version int32, ops ...zk.Op) error {
	data, err := b.Encode()
	if err != nil {
		return err
	}
	return s.Client.Multi(ctx, append(ops, zk.SetOp(s.Tree.RunsBackfill(b.ID), data, version))...)
}

// endBackfill records that all runs of a backfill have ended.
func (s Store) endBackfill(ctx context.Context, b jobtree.Backfill, version int32) error {
	folder := s.Tree.RunsBackfills()
	current, stat, err := s.Client.Get(ctx, folder)
	if err != nil {
		return err
	}
	var ops []zk.Op
	if string(current) == b.ID {
		ops = append(ops, zk.SetOp(folder, nil, stat.Version))
	}
	b.Ended, b.Problem = s.Now().UnixMilli(), ""
	if err := s.writeBackfill(ctx, b, version, ops...); !Refused(err) {
		return err
	}
	return nil // Another agent was faster.
}

// CancelBackfill cancels a backfill: no further run is requested, waiting runs are cancelled, and
// the handlers of the current run are asked to return. It can be repeated.
func (s Store) CancelBackfill(ctx context.Context, id string, by jobtree.RunCancel) (jobrun.BackfillProgress, error) {
	by.Reason, by.At = clip(by.Reason, maxReason), s.Now().UnixMilli()
	err := s.untilDone(ctx, func() error {
		b, version, err := s.readBackfill(ctx, id)
		if err == nil && b.Cancelled == nil {
			b.Cancelled = &by
			var p jobrun.BackfillProgress
			if p, err = s.Backfill(ctx, id); err == nil && p.State.Ended() {
				err = refuse(jobrun.ErrRunEnded, "backfill %s of job %q has ended already: %s", id, s.Tree.Name(), p.State)
			}
			if err == nil {
				err = s.writeBackfill(ctx, b, version, s.Signal())
			}
		}
		if err != nil {
			return err
		}
		return s.cancelRuns(ctx, b)
	})
	if err != nil {
		return jobrun.BackfillProgress{}, err
	}
	return s.Backfill(ctx, id)
}

// cancelRuns cancels the remaining runs of a backfill. It starts with the waiting ones, because one
// of them could begin in place of the current run.
func (s Store) cancelRuns(ctx context.Context, b jobtree.Backfill) error {
	waiting, active, err := s.liveRuns(ctx)
	if err != nil {
		return err
	}
	for _, ids := range [][]string{waiting, active} {
		own := ofBackfill(b, ids)
		if err := rethrow.Each(ctx, cancelsAtOnce, len(own), func(ctx context.Context, i int) error {
			_, err := s.Cancel(ctx, own[i], *b.Cancelled)
			if errors.Is(err, jobrun.ErrRunEnded) || errors.Is(err, jobrun.ErrUnknownRun) {
				return nil
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

func (s Store) Config(ctx context.Context) (*jobconfig.Config, error) {
	data, _, err := s.Client.Get(ctx, s.Tree.Config())
	if err != nil {
		return nil, err
	}
	config, err := jobconfig.Decode(data)
	if err != nil {
		return nil, refuse(jobrun.ErrNoSchedule, "the configuration of job %q cannot be read: %v", jobtree.Shown(s.Tree.Name()), err)
	}
	return config, nil
}

// Backfill returns a backfill with the progress of its runs.
func (s Store) Backfill(ctx context.Context, id string) (jobrun.BackfillProgress, error) {
	if _, _, err := s.readBackfill(ctx, id); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	list, err := s.progress(ctx, []string{id})
	if err == nil && len(list) == 0 {
		_, _, err = s.readBackfill(ctx, id)
	}
	if err != nil {
		return jobrun.BackfillProgress{}, err
	}
	return list[0], nil
}

// Backfills lists the job's recent backfills, newest first.
func (s Store) Backfills(ctx context.Context) ([]jobrun.BackfillProgress, error) {
	names, err := s.Children(ctx, s.Tree.RunsBackfills())
	if err != nil {
		return nil, err
	}
	slices.Reverse(names)
	return s.progress(ctx, names[:min(len(names), keptBackfills)])
}

// progress reads backfills with the progress of their runs. During the read a run may move and the
// steward may remove its outcome. Then it reads again.
func (s Store) progress(ctx context.Context, ids []string) (list []jobrun.BackfillProgress, err error) {
	for range 4 {
		var sure bool
		if list, sure, err = s.progressOnce(ctx, ids); err != nil || sure {
			break
		}
	}
	return list, err
}

func (s Store) progressOnce(ctx context.Context, ids []string) (list []jobrun.BackfillProgress, sure bool, err error) {
	stored, err := s.readBackfills(ctx, ids)
	if err != nil || len(stored) == 0 {
		return nil, true, err
	}
	waiting, active, err := s.liveRuns(ctx)
	if err != nil {
		return nil, false, err
	}
	done, err := s.Children(ctx, s.Tree.RunsDone())
	if err != nil {
		return nil, false, err
	}
	sure = true
	for _, b := range stored {
		ended, err := s.outcomes(ctx, b.Backfill, done)
		if err != nil {
			return nil, false, err
		}
		p, complete := progressOf(b.Backfill, waiting, active, ended)
		if p.Runs[jobrun.Queued] > 0 {
			if p.Next, err = s.next(ctx, b.Backfill, waiting); err != nil {
				return nil, false, err
			}
		}
		stat, _, err := s.Client.Exists(ctx, s.Tree.RunsBackfill(b.ID))
		if err != nil {
			return nil, false, err
		}
		sure = sure && complete && stat.Version == b.version
		list = append(list, p)
	}
	return list, sure, nil
}

type storedBackfill struct {
	jobtree.Backfill
	version int32
}

// readBackfills reads backfills in order. It leaves out unknown ones.
func (s Store) readBackfills(ctx context.Context, ids []string) ([]storedBackfill, error) {
	return gather(ctx, len(ids), func(ctx context.Context, i int) (b storedBackfill, known bool, err error) {
		b.Backfill, b.version, err = s.readBackfill(ctx, ids[i])
		return b, err == nil, zk.Ignore(err, jobrun.ErrUnknownBackfill)
	})
}

func (s Store) outcomes(ctx context.Context, b jobtree.Backfill, names []string) (map[string]jobrun.State, error) {
	var paths []string
	for _, name := range names {
		if _, id, ours := jobtree.ParseRunEnded(name); ours {
			if _, own := b.RunNumber(id); own {
				paths = append(paths, s.Tree.RunsDone()+"/"+name)
			}
		}
	}
	list, err := s.all(ctx, paths)
	ended := make(map[string]jobrun.State, len(list))
	for _, run := range list {
		ended[run.ID] = run.State
	}
	return ended, err
}

// progressOf counts the runs of a backfill. complete is false if it missed some.
func progressOf(b jobtree.Backfill, waiting, active []string, ended map[string]jobrun.State) (p jobrun.BackfillProgress, complete bool) {
	seen := make(map[string]jobrun.State)
	for _, id := range ofBackfill(b, waiting) {
		seen[id] = jobrun.Queued
	}
	for _, id := range ofBackfill(b, active) {
		seen[id] = jobrun.Running
	}
	maps.Copy(seen, ended)
	p = b.Shown()
	missed := b.Placed
	for _, n := range b.Removed {
		missed -= n
	}
	for _, state := range seen {
		p.Runs[state]++
		missed--
	}
	p.Runs[jobrun.Unknown] += max(missed, 0)
	switch queued, running := p.Runs[jobrun.Queued], p.Runs[jobrun.Running]; {
	case queued == p.Total:
		p.State = jobrun.Queued
	case queued+running > 0:
		p.State = jobrun.Running
	case p.Cancel != nil:
		p.State = jobrun.Cancelled
	case p.Runs[jobrun.Succeeded]+p.Runs[jobrun.Skipped] == p.Total:
		p.State = jobrun.Succeeded
	default:
		p.State = jobrun.Failed
	}
	maps.DeleteFunc(p.Runs, func(_ jobrun.State, n int) bool { return n == 0 })
	return p, missed == 0
}

// next returns the first fire time of a backfill with a waiting run.
func (s Store) next(ctx context.Context, b jobtree.Backfill, waiting []string) (time.Time, error) {
	first := b.Placed
	for _, id := range waiting {
		if i, own := b.RunNumber(id); own {
			first = min(first, i)
		}
	}
	times, err := s.times(ctx, b)
	if errors.Is(err, jobrun.ErrFormat) { // FeedBackfill records the problem.
		return time.Time{}, nil
	}
	if err != nil || first >= len(times) {
		return time.Time{}, err
	}
	return times[first], nil
}

// CountRemoved returns the operations that count removed outcomes of backfill runs. Put them in the
// transaction that removes the outcomes, because [Store.Backfill] can't read them afterwards.
func (s Store) CountRemoved(ctx context.Context, names []string) ([]zk.Op, error) {
	ids, err := s.Children(ctx, s.Tree.RunsBackfills())
	if err != nil {
		return nil, err
	}
	stored, err := s.readBackfills(ctx, ids)
	if err != nil {
		return nil, err
	}
	var ops []zk.Op
	for _, b := range stored {
		ended, err := s.outcomes(ctx, b.Backfill, names)
		if err != nil {
			return nil, err
		}
		if len(ended) == 0 {
			continue
		}
		if b.Removed = maps.Clone(b.Removed); b.Removed == nil {
			b.Removed = make(map[string]int)
		}
		for _, state := range ended {
			b.Removed[string(state)]++
		}
		data, err := b.Encode()
		if err != nil {
			return nil, err
		}
		ops = append(ops, zk.SetOp(s.Tree.RunsBackfill(b.ID), data, b.version))
	}
	return ops, nil
}
