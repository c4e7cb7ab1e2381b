package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Only the agent knows why it doesn't run a job. It writes the reason into the registry, for
// as long as the reason lasts:
//
//	a stage fails ──▶ hinder ─kick▶ control step: extension/refused/<instance>
//	it succeeds ────▶ unhinder ─kick▶ control step: the node goes
//
// Nothing is written while nothing changes.

// stage is a part of the work that an obstacle holds up. The first one counts.
type stage int

const (
	stageServe        stage = iota // the job isn't served at all
	stageControl                   // control steps fail
	stageAssign                    // the leader can't assign the shards
	stageRun                       // runs fail before they call a handler
	stageHandler                   // a handler doesn't return
	stageListener                  // a listener doesn't return
	stageErrorHandler              // the error handler doesn't return
	stagePlace                     // a shard waits for a place in the process
	stageDebug                     // the process runs nothing on its own
	stages
)

const (
	// rewritten is how often a text that changes all the time is written.
	rewritten = time.Minute
	// failedSteps is how many control steps must fail in a row to be an obstacle.
	failedSteps = 3
	// longPlace is how long a shard waits for a place before that is an obstacle, and
	// longCall how long a listener or an error handler may take, and a handler whose context
	// has ended.
	longPlace = 10 * time.Second
	longCall  = 30 * time.Second
)

// obstacles are what holds up each stage, guarded by Job.mu.
type obstacles struct {
	of      [stages]jobtree.Obstacle
	changed time.Time // when one was set last
	written bool      // the registry may have a node of this instance
	slow    []*slow   // what takes long, the oldest first
}

// slow is a wait for a place or a call of user code. Guarded by Job.mu.
type slow struct {
	at     stage
	shards []int // that wait for its end
	// obstacle makes the announcement, which names all the shards that wait at this stage.
	obstacle func(shards []int) jobtree.Obstacle
	timer    *time.Timer
	over     bool
}

// slowest is the obstacle of what takes long at a stage.
func (o *obstacles) slowest(at stage) jobtree.Obstacle {
	var first *slow
	var shards []int
	for _, s := range o.slow {
		if s.at == at {
			first = cmp.Or(first, s)
			shards = append(shards, s.shards...)
		}
	}
	if first == nil {
		return jobtree.Obstacle{}
	}
	slices.Sort(shards)
	return first.obstacle(slices.Compact(shards))
}

// watchSlow announces an obstacle if over isn't called for a while.
func (j *Job) watchSlow(s *slow, after time.Duration) (over func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !s.over {
		s.timer = time.AfterFunc(after, func() { j.noteSlow(s, false) })
	}
	return func() { j.noteSlow(s, true) }
}

// noteSlow notes that something takes long, or that it's over. The announcement is brought up to
// date from time to time.
func (j *Job) noteSlow(s *slow, over bool) {
	j.mu.Lock()
	o := &j.obstacles
	known := slices.Contains(o.slow, s)
	switch {
	case over:
		s.over = true
		if s.timer != nil {
			s.timer.Stop()
		}
		o.slow = slices.DeleteFunc(o.slow, func(other *slow) bool { return other == s })
	case !s.over && j.phase != departed:
		s.timer.Reset(rewritten)
		if !known {
			o.slow = append(o.slow, s)
		}
	}
	news := (known || !over) && o.set(s.at, o.slowest(s.at))
	j.mu.Unlock()
	if news {
		j.kick()
	}
	if !over && s.at == stagePlace {
		j.requested.kick() // A request that waited for a place may have been cancelled since.
	}
}

// callSlow calls a listener or the error handler, and announces that the call doesn't return.
func (j *Job) callSlow(ctx context.Context, at stage, what string, shards []int, fn func(ctx context.Context) error) error {
	code, began := jobtree.ObstacleListenerHangs, j.env.now()
	if at == stageErrorHandler {
		code = jobtree.ObstacleErrorHandlerHangs
	}
	defer j.watchSlow(&slow{at: at, shards: shards, obstacle: func(shards []int) jobtree.Obstacle {
		return jobtree.NewObstacle(code, what+" hasn't returned since "+began.UTC().Format(time.RFC3339)).For(shards)
	}}, longCall)()
	return j.calls.Contain(ctx, what, fn)
}

// watchHandler announces that the handler of a shard doesn't return although its context has
// ended, until over is called.
func (j *Job) watchHandler(ctx context.Context, shard int) (over func()) {
	began := j.env.now()
	s := &slow{at: stageHandler, shards: []int{shard}, obstacle: func(shards []int) jobtree.Obstacle {
		return jobtree.NewObstacle(jobtree.ObstacleHandlerHangs, "it was called at "+began.UTC().Format(time.RFC3339)+
			", its context has ended ("+context.Cause(ctx).Error()+"), and it hasn't returned").For(shards)
	}}
	stop := context.AfterFunc(ctx, func() { j.watchSlow(s, longCall) })
	return func() {
		if !stop() {
			j.noteSlow(s, true)
		}
	}
}

// first is the obstacle that counts; the zero value if there's none.
func (o *obstacles) first() jobtree.Obstacle {
	for _, obstacle := range o.of {
		if obstacle.Code != "" {
			return obstacle
		}
	}
	return jobtree.Obstacle{}
}

// set notes an obstacle of a stage, and reports whether it's news.
func (o *obstacles) set(at stage, obstacle jobtree.Obstacle) bool {
	old := o.of[at]
	if old == obstacle || old.Code == obstacle.Code && old.Shards == obstacle.Shards && time.Since(o.changed) < rewritten {
		return false
	}
	o.of[at], o.changed = obstacle, time.Now()
	return true
}

// announced is the obstacle in the registry. Only the control goroutine touches it.
type announced struct {
	session  int64
	path     string
	obstacle jobtree.Obstacle
}

// hinder notes what holds up a stage, and has the next control step announce it.
func (j *Job) hinder(at stage, err error) {
	obstacle := obstacleOf(at, err)
	if obstacle.Code == "" {
		return
	}
	j.mu.Lock()
	news := j.obstacles.set(at, obstacle)
	j.mu.Unlock()
	if news {
		j.kick()
	}
}

// unhinder notes that nothing holds up a stage.
func (j *Job) unhinder(at stage) {
	j.mu.Lock()
	news := j.obstacles.set(at, jobtree.Obstacle{})
	j.mu.Unlock()
	if news {
		j.kick()
	}
}

// obstacleOf returns the obstacle behind an error; the zero value if the error passes by itself.
func obstacleOf(at stage, err error) jobtree.Obstacle {
	code := jobtree.ObstacleNotBegun
	switch {
	case err == nil, zk.Retriable(err), errors.Is(err, ErrStopping), errors.Is(err, ErrShutdown), errors.Is(err, ErrSessionLost):
		return jobtree.Obstacle{}
	case is[*ConflictError](err):
		code = jobtree.ObstacleConflict
	case is[*UnknownExecutorError](err):
		code = jobtree.ObstacleExecutorUnknown
	case is[*UnknownListenerError](err):
		code = jobtree.ObstacleListenerUnknown
	case is[*errorhandler.UnknownTypeError](err):
		code = jobtree.ObstacleErrorHandlerUnknown
	case is[*sharding.UnknownStrategyError](err):
		code = jobtree.ObstacleStrategyUnknown
	case errors.Is(err, zk.ErrNoAuth):
		code = jobtree.ObstacleForbidden
	case at == stageControl:
		code = jobtree.ObstacleControl
	case at == stageAssign:
		code = jobtree.ObstacleAssigning
	}
	return jobtree.NewObstacle(code, err.Error())
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// announceObstacle writes the obstacle that counts into the registry, or removes the node.
func (j *Job) announceObstacle(ctx context.Context, session int64) error {
	j.mu.Lock()
	obstacle := j.obstacles.first()
	j.mu.Unlock()
	now, was := announced{session, j.tree.Refusal(j.id), obstacle}, &j.control.announced
	if was.session != session {
		*was = announced{session: session} // The node went with its session.
	}
	if was.obstacle == obstacle && (was.path == now.path || obstacle.Code == "") {
		return nil
	}
	if was.obstacle.Code != "" && (was.path != now.path || was.obstacle.Code != obstacle.Code) {
		if err := zk.Ignore(j.env.Client.Delete(ctx, was.path, zk.AnyVersion), zk.ErrNoNode); err != nil {
			return err
		}
		*was = announced{session: session}
	}
	if obstacle.Code != "" {
		if err := j.writeObstacle(ctx, now, was.obstacle.Code != ""); err != nil {
			return err
		}
	}
	*was = now
	return nil
}

// writeObstacle writes the node if this session has made it, and otherwise creates it, unless
// the registry doesn't have the job.
func (j *Job) writeObstacle(ctx context.Context, now announced, ours bool) error {
	data, err := now.obstacle.Encode()
	if err != nil {
		return err
	}
	if ours {
		_, err := j.env.Client.Set(ctx, now.path, data, zk.AnyVersion)
		return zk.Ignore(err, zk.ErrNoNode) // An operator has removed it.
	}
	j.mu.Lock()
	j.obstacles.written = true
	j.mu.Unlock()
	there := j.tree.Config()
	for {
		err := j.env.Client.Multi(ctx, zk.CheckOp(there, zk.AnyVersion), zk.CreateOp(now.path, data, zk.Ephemeral))
		refused := (*zk.MultiError)(nil)
		switch {
		case errors.Is(err, zk.ErrNoAuth) && errors.As(err, &refused) && refused.Index == 0 && there != j.tree.Root():
			there, err = j.tree.Root(), nil // The configuration's ACL may be why the job isn't run.
		case errors.Is(err, zk.ErrNoNode) && errors.As(err, &refused) && refused.Index == 0:
			return nil // The job was removed.
		case errors.Is(err, zk.ErrNoNode) && there == j.tree.Root():
			err = nil
			for _, path := range []string{nodes.Parent(j.tree.Refusals()), j.tree.Refusals()} {
				_, failed := j.env.Client.Create(ctx, path, nil, zk.Persistent)
				err = cmp.Or(err, zk.Ignore(failed, zk.ErrNodeExists))
			}
		case errors.Is(err, zk.ErrNoNode):
			err = j.nodes.Ensure(ctx, nodes.Parent(now.path))
		case errors.Is(err, zk.ErrNodeExists): // An earlier process of the same id has left it.
			err = zk.Ignore(j.env.Client.Delete(ctx, now.path, zk.AnyVersion), zk.ErrNoNode)
		default:
			return err
		}
		if err != nil {
			return err
		}
	}
}
