package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/steward"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// Runs that somebody has requested, with parameters or without, are a third activity
// of a job, beside control and run. A job of which no run was ever requested pays one
// watch of an absent node, the bell, and nothing else.
//
//	bell ──▶ control, the first time ──▶ requested: steward's duties ▸ cancelled? ▸ claims
//	bell ──▶ requested                       │
//	                 each shard takes part ──┤──▶ queue ──▶ run: claim ▸ execute ▸ settle
//	                 one shard has the run ──┴──▶ claim ──▶ beside: execute ▸ settle
//
// A claim is one transaction: the shard is still this instance's, its running marker is
// made, and the run's record, or its request, is written over the version that was
// read. The marker is ephemeral, also with failover: when an instance dies, a Java
// agent finds nothing to fail over, and the record has the shard run again here or
// elsewhere.
type requested struct {
	j *Job

	store   runs.Store
	history *runhistory.Job
	cache   *recipe.Cache // nil until a run was requested; set under Job.mu
	steward *steward.Steward
	timer   *timers.Timer

	// Guarded by Job.mu.
	kicked, working bool
	look            bool // for shards that wait in the run that each takes part in
	changed         bool // the steward is to look at everything
	fleet           steward.Fleet
	members         int64             // the newest transaction among the instances
	claims          map[string]*claim // under way in this process, by nonce
	began           map[string]bool   // nonces of claims whose handlers began and whose end was not written
	doubtful        []released        // runs of which no answer came to their release
	elsewhere       map[int]time.Time // shards that somebody else runs, and until when they are left alone
	schema          *runparams.Schema // of this process's parameters; nil until a run has some
	left            string            // the last run that was left to others
	offer           *offered          // for the next claim; nil if it is to read for itself
	last            lastClaim         // of the run that each shard takes part in
	inLine          func()            // ends a wait for a place; nil if no request waits for one

	published uint64 // the session in which the schema was written; only control touches it

	epoch    uint64 // only the activity touches it
	format   string // of the nodes, as read in this epoch
	cancels  heard  // of the cancels for which records were looked at
	bell     heard  // when it was looked what can be claimed
	looked   *view  // by which that was
	failures int
	waiting  steward.Waiting // as observed last
}

// note begins the activity when the first run was requested, or the job is held for the
// first time: the bell stands then. It is a part of control.
func (r *requested) note(ctx context.Context) error {
	j := r.j
	bell := j.tree.RunsSignal()
	if r.begun() || !j.cache.Get(bell).Exists {
		return nil
	}
	j.cache.Forget(bell)
	j.cache.Watch(j.tree.Held())
	if err := j.cache.Refresh(ctx); err != nil { // Before a fire time of a held job comes.
		j.cache.WatchFlag(bell)
		return err
	}
	cache := recipe.NewCache(j.env.Client, j.tree.Runs(), func() { j.guard("watch", r.ring) })
	cache.Watch(bell)
	cache.Watch(j.tree.RunsCancels())
	r.store = runs.Store{Client: j.env.Client, Tree: j.tree, Now: j.env.now}
	r.history = j.env.History.Of(j.Name(), j.ID)
	r.steward = steward.New(r.store, cache, r.history, j.log)
	look := j.guarded("runs timer", func(*Job, time.Time) { r.ring() })
	j.mu.Lock()
	defer j.mu.Unlock()
	r.timer = timers.NewCalendarTimer(look, look)
	r.claims, r.began, r.elsewhere = make(map[string]*claim), make(map[string]bool), make(map[int]time.Time)
	r.cache = cache
	return nil
}

// begun reports whether a run was ever requested, as far as this instance knows.
func (r *requested) begun() bool {
	r.j.mu.Lock()
	defer r.j.mu.Unlock()
	return r.cache != nil
}

// held is what of the job is held, by an operator or for this process.
func (r *requested) held() jobtree.Hold {
	j := r.j
	hold := j.env.Debug
	if node := j.cache.Get(j.tree.Held()); node.Exists {
		stored := jobtree.DecodeHold(node.Data)
		if hold.What != "" && hold.What != stored.What {
			stored.What = jobtree.HoldAll
		}
		hold = stored
	}
	return hold
}

// heed has the activity look when what the steward goes by has changed. It is a
// part of control.
func (r *requested) heed(v *view) {
	j := r.j
	if !r.begun() || v.config == nil || v.broken != nil {
		return
	}
	settings, problems := runs.SettingsOf(v.config)
	fleet := steward.Fleet{ID: v.id, Config: v.config, Settings: settings, Hold: v.hold, Instances: j.cache.instances(), Owners: slices.Clone(j.control.assigned)}
	members := j.cache.Get(j.tree.Instances()).Stat.Pzxid
	j.mu.Lock()
	old := r.fleet
	r.changed = r.changed || old.Config != v.config || old.Hold.What != fleet.Hold.What || r.members != members || !slices.Equal(old.Owners, fleet.Owners)
	r.fleet, r.members = fleet, members
	j.mu.Unlock()
	if old.Config != v.config {
		for _, problem := range problems {
			j.log.Warn("a property of the stored configuration is wrong; its default counts", "path", j.tree.Config(), "err", problem)
		}
	}
	r.kick()
}

// endStewardship lets another agent be the steward.
func (r *requested) endStewardship(ctx context.Context) error {
	j := r.j
	if !r.begun() {
		return nil
	}
	return j.nodes.DeleteIfData(ctx, j.tree.RunsSteward(), j.ID())
}

// instances are those of the job, as control last saw them.
func (r *requested) instances() []string {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	return r.fleet.Instances
}

// suspect has the activity compare everything with the server.
func (r *requested) suspect() {
	if !r.begun() {
		return
	}
	r.doubt()
	r.cache.Suspect()
	r.kick()
}

// close ends the activity.
func (r *requested) close() {
	if r.begun() {
		r.j.env.timers.Stop(r.timer)
		r.cache.Close()
		r.standInLine(nil)
	}
}

// kick asks for a step of the activity, as kick does for one of control: shards of the
// run that each takes part in may wait for this instance.
func (r *requested) kick() { r.ask(true) }

// ring asks for a step that goes by what the nodes say.
func (r *requested) ring() { r.ask(false) }

// lookLater has the next step look, whoever asks for it.
func (r *requested) lookLater() {
	r.j.mu.Lock()
	defer r.j.mu.Unlock()
	r.look = true
}

func (r *requested) ask(look bool) {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.cache == nil {
		return
	}
	r.kicked, r.look = true, r.look || look
	if r.working || j.phase != serving || j.life.Err() != nil {
		return
	}
	r.working = true
	j.env.admission.Enter(controlParallel, func() {
		j.env.tasks.Go(func() { j.env.admission.Do(r.guardedWork) })
	})
}

func (r *requested) guardedWork() {
	j := r.j
	if !j.guard("requested runs", r.work) {
		j.mu.Lock()
		r.working = false
		j.mu.Unlock()
	}
}

func (r *requested) work() {
	j := r.j
	for {
		j.mu.Lock()
		if !r.kicked || j.phase != serving || j.life.Err() != nil {
			r.working = false
			j.mu.Unlock()
			return
		}
		r.kicked = false
		j.mu.Unlock()
		next, err := r.step()
		if err == nil {
			r.failures = 0
			if !next.IsZero() {
				j.env.timers.Set(r.timer, next)
			}
			continue
		}
		r.failures++
		pause := min(retryLast, retryFirst<<min(r.failures-1, 10))
		j.env.timers.Set(r.timer, j.env.timers.Now().Add(pause))
		if !zk.Retriable(err) && r.failures&(r.failures-1) == 0 {
			j.log.Warn("looking at the requested runs failed; trying again", "err", err, "attempt", r.failures, "pause", pause)
		}
	}
}

// step looks at the runs once, and returns when to look again.
func (r *requested) step() (next time.Time, err error) {
	j := r.j
	if j.env.Client.State() != zk.Connected {
		return next, nil // The transition to CONNECTED kicks.
	}
	session := j.env.Client.Session()
	j.mu.Lock()
	v, fleet, changed, registered := j.view, r.fleet, r.changed, j.epoch == session.Epoch
	r.changed = false
	j.mu.Unlock()
	if v == nil || !registered || v.epoch != session.Epoch || fleet.Config == nil {
		return next, nil // Control kicks when it has published a view.
	}
	// A hold that came before a request is known before it: its event comes before the
	// answer that has the request. Control publishes a view with it, and kicks.
	fleet.Hold = v.hold // The view may be newer than what was noted of it.
	fleet.Outdated = func() bool { return j.cache.ChangedSince(j.tree.Held(), v.events) }
	defer func() {
		if fleet.Outdated() {
			j.kick()
		}
	}()
	ctx, cancel := context.WithTimeout(zk.UnderSession(j.life, session), v.patience())
	defer cancel()
	defer func() {
		if err != nil && changed {
			j.mu.Lock()
			r.changed = true
			j.mu.Unlock()
		}
	}()
	if r.epoch != session.Epoch {
		r.epoch, r.format, changed = session.Epoch, "", true
		r.steward.EndTerm()
		r.cache.Invalidate()
	}
	if err := r.steward.Refresh(ctx, fleet); err != nil {
		return next, err
	}
	if fine, err := r.knowsFormat(ctx); err != nil || !fine {
		return next, err
	}
	if err := r.heedCancelled(ctx, session, changed); err != nil {
		return next, err
	}
	fleet.Changed = changed
	if next, err = r.steward.Step(ctx, fleet); err != nil {
		return next, err
	}
	r.observeWaiting()
	r.notePassed()
	if err = r.claimAll(ctx, v, session, fleet.Outdated); err != nil {
		return next, err
	}
	tidy, err := r.steward.Tidy(ctx, fleet)
	for _, again := range []time.Time{tidy, r.lookAt()} {
		if next.IsZero() || !again.IsZero() && again.Before(next) {
			next = again
		}
	}
	return next, err
}

// knowsFormat reports whether the runs are stored in the format that this version knows.
func (r *requested) knowsFormat(ctx context.Context) (bool, error) {
	j := r.j
	if r.format == "" {
		data, _, err := j.env.Client.Get(ctx, j.tree.Runs())
		if errors.Is(err, zk.ErrNoNode) {
			return false, nil // The job is being removed.
		}
		if err != nil {
			return false, err
		}
		if r.format = string(data); r.format != jobtree.RunsFormat {
			j.log.WarnContext(ctx, "requested runs are left alone: a later version has changed how they are stored", "format", jobtree.Shown(r.format))
		}
	}
	return r.format == jobtree.RunsFormat, nil
}

// claimAll claims what this instance can run: shards of the run that each takes
// part in, by the queue, or requests for shards that are free.
func (r *requested) claimAll(ctx context.Context, v *view, session zk.Session, outdated func() bool) error {
	j := r.j
	if !r.canRun(v) || len(v.shards) == 0 {
		r.standInLine(nil)
		return nil
	}
	bell := r.cache.Get(j.tree.RunsSignal())
	what, news, all := r.bell.of(bell)
	j.mu.Lock()
	opened := r.steward.Opened()
	queue, _ := runs.ParseSignal(what)
	look := r.look || v != r.looked || opened != nil || news && (all || !queue)
	r.look = false
	one := r.fleet.Settings.Assign == jobtree.RunOne
	j.mu.Unlock()
	if look {
		if err := r.offerAll(ctx, v, opened); err != nil {
			j.mu.Lock()
			r.look = true
			j.mu.Unlock()
			return err
		}
	}
	r.bell, r.looked = heardAll(bell), v
	if opened != nil && bell.Stat.Czxid == opened.Bell.Czxid && bell.Stat.Version+1 == opened.Bell.Version {
		r.bell.version++ // This one was by ourselves.
	}
	if !one || v.config.Cron != "" || !v.config.MonitorExecution {
		r.standInLine(nil)
		return nil
	}
	return r.claimQueued(ctx, v, session, outdated)
}

// offerAll has the queue of the job claim what waits for this instance in the run that
// each shard takes part in.
func (r *requested) offerAll(ctx context.Context, v *view, opened *steward.Opened) error {
	j := r.j
	var found offered
	if opened != nil {
		found = offered{opened.Record, opened.Version}
	} else {
		data, stat, err := j.env.Client.Get(ctx, j.tree.RunsActiveAll())
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		if found.record, err = jobtree.DecodeRunRecord(data); err != nil {
			return nil //nolint:nilerr // The steward logs it.
		}
		found.version = stat.Version
	}
	if slices.ContainsFunc(v.shards, func(s shard) bool {
		return s.runnable() && found.record.Waiting.Has(s.number) && !r.runsElsewhere(s.number)
	}) {
		j.enqueue(func(q *queue) {
			q.requested = true
			r.offer = &found
		})
	}
	return nil
}

// offered is the record of the run that each shard takes part in, as read a moment ago.
type offered struct {
	record  jobtree.RunRecord
	version int32
}

// canRun reports whether this instance may begin a requested run.
func (r *requested) canRun(v *view) bool {
	return v.settled && v.enabled && v.broken == nil && r.j.serves()
}
