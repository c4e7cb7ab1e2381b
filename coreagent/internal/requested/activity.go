package requested

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/steward"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Job is the job of an activity.
type Job interface {
	// ID returns the id of this instance.
	ID() string
	// View returns the current view, or nil if the job isn't served. changed is closed when the
	// view or the session changes.
	View() (v *view.View, changed <-chan struct{})
	// Guard calls fn, and reports false if it panics.
	Guard(activity string, fn func()) (sound bool)
	// Offer makes the job's queue claim the waiting shards of the run in which every shard takes
	// part. The queue then calls Claim.
	Offer()
	// Free returns the shards of a view that may run now and that no run of this process holds.
	Free(v *view.View) []view.Shard
	// Slot reserves a shard against every other run of this process until it's started or released.
	// It's nil if another run holds the shard, or if there's no place for its handler. In the
	// latter case full is set.
	Slot(v *view.View, s view.Shard) (slot Slot, full bool)
	// Limited reports whether places for handlers are limited, and whether shards have waited long
	// for one.
	Limited() (limited, slow bool)
	// WaitForPlace records that shards wait for a place until over is called.
	WaitForPlace(shards []int) (over func())
}

// Slot is a run that has a shard and a place, and will get a claim.
type Slot interface {
	// ResolveNames fails if this program doesn't know a name in the configuration.
	ResolveNames() error
	// Cancel ends the context of the handlers.
	Cancel(cause error)
	// Start runs the claim in the background.
	Start(c *Claim)
	// Release gives up the shard and the place.
	Release()
}

// Activity handles the requested runs of one job, in a goroutine that exists only while there's
// work. Its methods are safe for concurrent use, but must not be called with the job's lock held.
// Notice, Follow and Publish belong to the control goroutine.
type Activity struct {
	host       *host.Host
	nodes      *nodes.Nodes
	tree       *view.Tree
	resharding *reshard.Resharding
	job        Job
	log        *slog.Logger
	life       context.Context // the job's
	schema     []byte          // of this process's parameters, empty if unknown
	control    func()          // asks for a control step

	store   runs.Store
	history *runhistory.Job
	steward *steward.Steward
	timer   *timers.Timer

	mu              sync.Mutex
	cache           *recipe.Cache // nil until a run was requested
	kicked, working bool
	look            bool // for waiting shards of the run in which every shard takes part
	changed         bool // the steward must check everything
	fleet           steward.Fleet
	members         int64             // the newest transaction among the instances
	claims          map[string]*Claim // under way in this process, by nonce
	began           map[string]bool   // nonces of claims with begun handlers and without a written result
	doubtful        []released        // runs with an unanswered release
	elsewhere       map[int]time.Time // shards that run elsewhere, and until when we leave them alone
	parsed          *runparams.Schema // schema, nil until a run has parameters
	left            string            // the last run that we left to other instances
	offer           *offered          // for the next claim; nil if it must read the record itself
	last            lastClaim         // in the run in which every shard takes part
	inLine          func()            // ends a wait for a place; nil if no request waits

	published uint64 // the session in which the schema was written; only Publish touches it

	// Only the goroutine of the activity touches these.
	epoch    uint64
	format   string     // of the nodes, as read in this epoch
	cancels  followed   // the cancels that we've handled
	bell     followed   // the signal that we've handled
	looked   *view.View // the view that we used for that
	failures int
	waiting  steward.Waiting // as last observed
}

// New returns the activity of a job without requested runs so far. It ends with life. control asks
// for a control step.
func New(life context.Context, h *host.Host, tree *view.Tree, n *nodes.Nodes, r *reshard.Resharding, job Job, schema []byte, log *slog.Logger, control func()) *Activity {
	return &Activity{life: life, host: h, tree: tree, nodes: n, resharding: r, job: job, schema: schema, log: log, control: control}
}

// Notice starts the activity once the first run was requested or the job was first held, because
// then the bell node exists.
func (a *Activity) Notice(ctx context.Context) error {
	bell := a.nodes.Tree.RunsSignal()
	if a.Begun() || !a.tree.Get(bell).Exists {
		return nil
	}
	a.tree.Forget(bell)
	a.tree.Watch(a.nodes.Tree.Held())
	if err := a.tree.Refresh(ctx); err != nil { // Do it before a fire time of a held job comes.
		a.tree.WatchFlag(bell)
		return err
	}
	cache := recipe.NewCache(a.nodes.Client, a.nodes.Tree.Runs(), func() { a.job.Guard("watch", a.Ring) })
	cache.Watch(bell)
	cache.Watch(a.nodes.Tree.RunsCancels())
	a.store = runs.Store{Client: a.nodes.Client, Tree: a.nodes.Tree, Now: a.host.Time}
	a.history = a.host.History.Of(a.nodes.Tree.Name(), a.job.ID)
	a.steward = steward.New(a.store, cache, a.history, a.log)
	look := func(time.Time) { a.job.Guard("runs timer", a.Ring) }
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = timers.NewCalendarTimer(look, look)
	a.claims, a.began, a.elsewhere = make(map[string]*Claim), make(map[string]bool), make(map[int]time.Time)
	a.cache = cache
	return nil
}

// Begun reports whether a run was ever requested, as far as this instance knows.
func (a *Activity) Begun() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cache != nil
}

// Follow starts a step if the view or the owners of the shards have changed.
func (a *Activity) Follow(v *view.View, owners []string) {
	if !a.Begun() || v.Config == nil || v.Broken != nil {
		return
	}
	settings, problems := runs.SettingsOf(v.Config)
	fleet := steward.Fleet{ID: v.ID, Config: v.Config, Settings: settings, Hold: v.Hold, Enabled: v.Enabled, Instances: a.tree.Instances(), Owners: slices.Clone(owners)}
	members := a.tree.Get(a.nodes.Tree.Instances()).Stat.Pzxid
	a.mu.Lock()
	old := a.fleet
	a.changed = a.changed || old.Config != v.Config || old.Hold.What != fleet.Hold.What || old.Enabled != fleet.Enabled || a.members != members || !slices.Equal(old.Owners, fleet.Owners)
	a.fleet, a.members = fleet, members
	a.mu.Unlock()
	if old.Config != v.Config {
		for _, problem := range problems {
			a.log.Warn("invalid property in the stored configuration; its default applies", "path", a.nodes.Tree.Config(), "err", problem)
		}
	}
	a.Kick()
}

func (a *Activity) EndStewardship(ctx context.Context) error {
	if !a.Begun() {
		return nil
	}
	return a.nodes.DeleteIfData(ctx, a.nodes.Tree.RunsSteward(), a.job.ID())
}

// instances returns the job's instances as control last saw them.
func (a *Activity) instances() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fleet.Instances
}

// Suspect makes the activity compare everything with the server.
func (a *Activity) Suspect() {
	if !a.Begun() {
		return
	}
	a.doubt()
	a.cache.Suspect()
	a.Kick()
}

// Close ends the activity.
func (a *Activity) Close() {
	if a.Begun() {
		a.host.Timers.Stop(a.timer)
		a.cache.Close()
		a.waitForPlace(nil)
	}
}

// Kick asks for a step, because shards of the run in which every shard takes part may wait for this
// instance.
func (a *Activity) Kick() { a.ask(true) }

// Ring asks for a step that only handles changed nodes.
func (a *Activity) Ring() { a.ask(false) }

// LookLater makes the next step look for waiting shards of the run in which every shard takes part.
func (a *Activity) LookLater() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.look = true
}

func (a *Activity) serves() bool {
	v, _ := a.job.View()
	return v != nil && a.life.Err() == nil
}

func (a *Activity) ask(look bool) {
	serves := a.serves()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cache == nil {
		return
	}
	a.kicked, a.look = true, a.look || look
	if a.working || !serves {
		return
	}
	a.working = true
	a.host.Admission.Enter(host.ControlParallel, func() {
		a.host.Tasks.Go(func() { a.host.Admission.Do(a.guardedWork) })
	})
}

func (a *Activity) guardedWork() {
	if !a.job.Guard("requested runs", a.work) {
		a.mu.Lock()
		a.working = false
		a.mu.Unlock()
	}
}

func (a *Activity) work() {
	for {
		serves := a.serves()
		a.mu.Lock()
		if !a.kicked || !serves {
			a.working = false
			a.mu.Unlock()
			return
		}
		a.kicked = false
		a.mu.Unlock()
		next, err := a.step()
		if err == nil {
			a.failures = 0
			if !next.IsZero() {
				a.host.Timers.Set(a.timer, next)
			}
			continue
		}
		a.failures++
		pause := nodes.RetryPause(a.failures)
		a.host.Timers.Set(a.timer, a.host.Timers.Now().Add(pause))
		if !zk.Retriable(err) && a.failures&(a.failures-1) == 0 {
			a.log.Warn("could not process the requested runs, retrying", "err", err, "attempt", a.failures, "pause", pause)
		}
	}
}

// step handles the runs once, and returns the time of the next step.
func (a *Activity) step() (next time.Time, err error) {
	if a.nodes.Client.State() != zk.Connected {
		return next, nil // Control kicks again once we're connected.
	}
	session := a.nodes.Client.Session()
	a.mu.Lock()
	fleet, changed := a.fleet, a.changed
	a.changed = false
	a.mu.Unlock()
	v, _ := a.job.View()
	if v == nil || v.Epoch != session.Epoch || fleet.Config == nil {
		return next, nil // Control kicks when it has published a view.
	}
	// We know of a hold before any later request, because its event comes before the answer with
	// the request. Control publishes a view with it and kicks.
	fleet.Hold = v.Hold // The view may be newer than the fleet.
	fleet.Outdated = func() bool { return a.tree.ChangedSince(a.nodes.Tree.Held(), v.Events) }
	defer func() {
		if fleet.Outdated() {
			a.control()
		}
	}()
	ctx, cancel := context.WithTimeout(zk.UnderSession(a.life, session), v.Patience())
	defer cancel()
	defer func() {
		if err != nil && changed {
			a.mu.Lock()
			a.changed = true
			a.mu.Unlock()
		}
	}()
	if a.epoch != session.Epoch {
		a.epoch, a.format, changed = session.Epoch, "", true
		a.steward.EndTerm()
		a.cache.Invalidate()
	}
	if err := a.steward.Refresh(ctx, fleet); err != nil {
		return next, err
	}
	if fine, err := a.knowsFormat(ctx); err != nil || !fine {
		return next, err
	}
	if err := a.lookForCancels(ctx, session, changed); err != nil {
		return next, err
	}
	fleet.Changed = changed
	if next, err = a.steward.Step(ctx, fleet); err != nil {
		return next, err
	}
	a.observeWaiting()
	a.notePassed()
	if err = a.claimAll(ctx, v, session, fleet.Outdated); err != nil {
		return next, err
	}
	tidy, err := a.steward.Tidy(ctx, fleet)
	for _, again := range []time.Time{tidy, a.lookAt()} {
		if next.IsZero() || !again.IsZero() && again.Before(next) {
			next = again
		}
	}
	return next, err
}

// knowsFormat reports whether this version knows the stored format of the runs.
func (a *Activity) knowsFormat(ctx context.Context) (bool, error) {
	if a.format == "" {
		data, _, err := a.nodes.Client.Get(ctx, a.nodes.Tree.Runs())
		if errors.Is(err, zk.ErrNoNode) {
			return false, nil // The job is being removed.
		}
		if err != nil {
			return false, err
		}
		if a.format = string(data); a.format != jobtree.RunsFormat {
			a.log.WarnContext(ctx, "requested runs are ignored because a later version has changed their format", "format", jobtree.Shown(a.format))
		}
	}
	return a.format == jobtree.RunsFormat, nil
}

// claimAll claims everything this instance can run: shards of the run in which every shard takes
// part, through the queue, and requests for free shards.
func (a *Activity) claimAll(ctx context.Context, v *view.View, session zk.Session, outdated func() bool) error {
	if !v.Settled || !v.Enabled || v.Broken != nil || len(v.Shards) == 0 {
		a.waitForPlace(nil)
		return nil
	}
	bell := a.cache.Get(a.nodes.Tree.RunsSignal())
	what, news, all := a.bell.of(bell)
	a.mu.Lock()
	opened := a.steward.Opened()
	queue, _ := runs.ParseSignal(what)
	look := a.look || v != a.looked || opened != nil || news && (all || !queue)
	a.look = false
	one := a.fleet.Settings.Assign == jobrun.AssignOne
	a.mu.Unlock()
	if look {
		if err := a.offerAll(ctx, v, opened); err != nil {
			a.mu.Lock()
			a.look = true
			a.mu.Unlock()
			return err
		}
	}
	a.bell, a.looked = followedAll(bell), v
	if opened != nil && bell.Stat.Czxid == opened.Bell.Czxid && bell.Stat.Version+1 == opened.Bell.Version {
		a.bell.version++ // We rang the bell ourselves.
	}
	if !one || v.Config.Cron != "" || !v.Config.MonitorExecution {
		a.waitForPlace(nil)
		return nil
	}
	return a.claimQueued(ctx, v, session, outdated)
}

// offerAll makes the job's queue claim the waiting shards of the run in which every shard takes
// part.
func (a *Activity) offerAll(ctx context.Context, v *view.View, opened *steward.Opened) error {
	var found *offered
	if opened != nil {
		found = &offered{opened.Record, opened.Version}
	} else {
		var err error
		if found, err = a.readRecord(ctx, a.nodes.Tree.RunsActiveAll()); found == nil {
			return err
		}
	}
	if slices.ContainsFunc(v.Shards, func(s view.Shard) bool {
		return s.Runnable() && found.record.Waiting.Has(s.Number) && !a.runsElsewhere(s.Number)
	}) {
		a.mu.Lock()
		a.offer = found
		a.mu.Unlock()
		a.job.Offer()
	}
	return nil
}

// offered is a recent record of the run in which every shard takes part.
type offered struct {
	record  jobtree.RunRecord
	version int32
}

// readRecord reads the record of a run. It returns nil if there is none, or if it's unreadable, which
// the steward logs.
func (a *Activity) readRecord(ctx context.Context, path string) (*offered, error) {
	data, stat, err := a.nodes.Client.Get(ctx, path)
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	record, err := jobtree.DecodeRunRecord(data)
	if err != nil {
		return nil, nil //nolint:nilerr // see above
	}
	return &offered{record, stat.Version}, nil
}

// observeWaiting reports the number of waiting runs to observers when it changes.
func (a *Activity) observeWaiting() {
	if waiting := a.steward.Waiting(); waiting != a.waiting {
		a.waiting = waiting
		a.host.Report(a.nodes.Tree.Name(), host.Observation{Event: host.RunsWait, Waiting: waiting})
	}
}
