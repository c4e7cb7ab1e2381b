// Package obstacle announces in the registry what blocks a job on this instance. Only the agent
// knows why it doesn't run a job, so it writes the reason for as long as it lasts.
//
//	clear ──Set──▶ noted ──kick▶ Announce: extension/refused/<instance> ──▶ announced
//	  ▲                                                                        │
//	  └────────────── Announce: the node goes ◀─kick── Clear ──────────────────┘
//
// # Guarantees
//
//   - Nothing is written while nothing changes. A text that changes all the time is written once
//     a minute.
//   - If several stages are blocked, the obstacle of the first one counts.
//   - The node is ephemeral and depends on the job, so it vanishes with a lost session or a
//     removed job.
//
// Methods are safe for concurrent use, even with the job's lock held. Exceptions are Announce,
// which belongs to the control goroutine, and Hinder and Clear, which call kick.
package obstacle

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Stage is a part of the work that an obstacle blocks.
type Stage int

// The stages, in the order in which their obstacles count.
const (
	Serve         Stage = iota // the job isn't served at all
	Control                    // control steps fail
	Assign                     // the leader can't assign the shards
	Run                        // runs fail before they call a handler
	Handler                    // a handler doesn't return
	Listener                   // a listener doesn't return
	ErrorHandler               // the error handler doesn't return
	Place                      // a shard waits for a place in the process
	Debug                      // the process runs nothing on its own
	ListenerFails              // the last call of a listener failed, which doesn't always block runs
	stages
)

// rewritten is how often a constantly changing text is written.
const rewritten = time.Minute

// dated is an obstacle, or none, with the time when that began.
type dated struct {
	jobtree.Obstacle
	changed time.Time
}

// Obstacles are the obstacles of a job, by stage.
type Obstacles struct {
	nodes *nodes.Nodes
	kick  func() // asks for a control step

	mu      sync.Mutex
	of      map[Stage]dated // nil before the first obstacle
	written bool            // the registry may have a node of this instance
	slow    []*wait         // oldest first
	closed  bool

	announced announced // only Announce touches it
}

// New returns the obstacles of a job, initially none. After a change it calls kick, which should
// lead to a call of Announce.
func New(n *nodes.Nodes, kick func()) *Obstacles { return &Obstacles{nodes: n, kick: kick} }

// Set sets the obstacle of a stage, or clears it with the zero value. It reports whether anything
// changed.
func (o *Obstacles) Set(at Stage, obstacle jobtree.Obstacle) (news bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.set(at, obstacle)
}

func (o *Obstacles) set(at Stage, obstacle jobtree.Obstacle) (news bool) {
	old := o.of[at]
	if old.Obstacle == obstacle || old.Code == obstacle.Code && old.Shards == obstacle.Shards && time.Since(old.changed) < rewritten {
		return false
	}
	lazymap.Put(&o.of, at, dated{obstacle, time.Now()})
	return true
}

// Hinder sets the obstacle of a stage and kicks if anything changed. The zero value changes
// nothing.
func (o *Obstacles) Hinder(at Stage, obstacle jobtree.Obstacle) {
	if obstacle.Code != "" && o.Set(at, obstacle) {
		o.kick()
	}
}

// Clear clears the obstacle of a stage, and kicks if there was one.
func (o *Obstacles) Clear(at Stage) {
	if o.Set(at, jobtree.Obstacle{}) {
		o.kick()
	}
}

// Recover is [Obstacles.Clear], but only if the obstacle is at least a minute old. Otherwise an
// obstacle that comes and goes with each run would be written each time.
func (o *Obstacles) Recover(at Stage) {
	o.mu.Lock()
	quick := time.Since(o.of[at].changed) < rewritten
	o.mu.Unlock()
	if !quick {
		o.Clear(at)
	}
}

func (o *Obstacles) Hinders(at Stage) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.of[at].Code != ""
}

// Close ends the waits once the job has left. Nothing is announced afterwards.
func (o *Obstacles) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
}

// Slow is a wait for a place, or a call of user code, that becomes an obstacle if it takes long.
type Slow struct {
	At     Stage
	After  time.Duration
	Shards []int // shards that wait for its end
	// Obstacle returns the obstacle of all waiting shards at this stage.
	Obstacle func(shards []int) jobtree.Obstacle
	// Again is called each time the wait has taken long again; nil means no call.
	Again func()
}

type wait struct {
	Slow
	timer *time.Timer
	over  bool
}

// Wait sets an obstacle if over isn't called for a while, and updates it from time to time until
// over is called.
func (o *Obstacles) Wait(s Slow) (over func()) {
	w := &wait{Slow: s}
	o.begins(w)
	return func() { o.ends(w) }
}

// WaitAfter is Wait, but starts when ctx ends.
func (o *Obstacles) WaitAfter(ctx context.Context, s Slow) (over func()) {
	w := &wait{Slow: s}
	stop := context.AfterFunc(ctx, func() { o.begins(w) })
	return func() {
		if !stop() {
			o.ends(w)
		}
	}
}

func (o *Obstacles) begins(w *wait) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !w.over {
		w.timer = time.AfterFunc(w.After, func() { o.lasts(w) })
	}
}

func (o *Obstacles) lasts(w *wait) {
	o.mu.Lock()
	if !w.over && !o.closed {
		w.timer.Reset(rewritten)
		if !slices.Contains(o.slow, w) {
			o.slow = append(o.slow, w)
		}
	}
	news := o.set(w.At, o.slowest(w.At))
	o.mu.Unlock()
	if news {
		o.kick()
	}
	if w.Again != nil {
		w.Again()
	}
}

func (o *Obstacles) ends(w *wait) {
	o.mu.Lock()
	if w.over = true; w.timer != nil {
		w.timer.Stop()
	}
	k := slices.Index(o.slow, w)
	if k >= 0 {
		o.slow = slices.Delete(o.slow, k, k+1)
	}
	news := k >= 0 && o.set(w.At, o.slowest(w.At))
	o.mu.Unlock()
	if news {
		o.kick()
	}
}

// slowest returns the obstacle of the long waits at a stage.
func (o *Obstacles) slowest(at Stage) jobtree.Obstacle {
	var first *wait
	var shards []int
	for _, w := range o.slow {
		if w.At == at {
			first = cmp.Or(first, w)
			shards = append(shards, w.Shards...)
		}
	}
	if first == nil {
		return jobtree.Obstacle{}
	}
	slices.Sort(shards)
	return first.Obstacle(slices.Compact(shards))
}

type announced struct {
	session  int64
	path     string
	obstacle jobtree.Obstacle
}

// Written reports whether the registry may have a node of this instance.
func (o *Obstacles) Written() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written
}

// first returns the obstacle of the first stage that has one.
func (o *Obstacles) first() jobtree.Obstacle {
	o.mu.Lock()
	defer o.mu.Unlock()
	for at := range stages {
		if o.of[at].Code != "" {
			return o.of[at].Obstacle
		}
	}
	return jobtree.Obstacle{}
}

// Announce writes the current obstacle to the registry under the instance id, or removes the node.
func (o *Obstacles) Announce(ctx context.Context, session int64, id string) error {
	obstacle := o.first()
	now, was := announced{session, o.nodes.Tree.Refusal(id), obstacle}, &o.announced
	if was.session != session {
		*was = announced{session: session} // The node vanished with its session.
	}
	if was.obstacle == obstacle && (was.path == now.path || obstacle.Code == "") {
		return nil
	}
	if was.obstacle.Code != "" && (was.path != now.path || was.obstacle.Code != obstacle.Code) {
		if err := zk.Ignore(o.nodes.Client.Delete(ctx, was.path, zk.AnyVersion), zk.ErrNoNode); err != nil {
			return err
		}
		*was = announced{session: session}
	}
	if obstacle.Code != "" {
		if err := o.write(ctx, now, was.obstacle.Code != ""); err != nil {
			return err
		}
	}
	*was = now
	return nil
}

// write updates the node if this session created it, and otherwise creates it if the job exists.
func (o *Obstacles) write(ctx context.Context, now announced, ours bool) error {
	client, tree := o.nodes.Client, o.nodes.Tree
	data, err := now.obstacle.Encode()
	if err != nil {
		return err
	}
	if ours {
		_, err := client.Set(ctx, now.path, data, zk.AnyVersion)
		return zk.Ignore(err, zk.ErrNoNode) // An operator has removed it.
	}
	o.mu.Lock()
	o.written = true
	o.mu.Unlock()
	there := tree.Config()
	for {
		err := client.Multi(ctx, zk.CheckOp(there, zk.AnyVersion), zk.CreateOp(now.path, data, zk.Ephemeral))
		refused := (*zk.MultiError)(nil)
		switch {
		case errors.Is(err, zk.ErrNoAuth) && errors.As(err, &refused) && refused.Index == 0 && there != tree.Root():
			there, err = tree.Root(), nil // The configuration's ACL may be the reason why the job isn't run.
		case errors.Is(err, zk.ErrNoNode) && errors.As(err, &refused) && refused.Index == 0:
			return nil // The job was removed.
		case errors.Is(err, zk.ErrNoNode) && there == tree.Root():
			err = nil
			for _, path := range []string{nodes.Parent(tree.Refusals()), tree.Refusals()} {
				_, failed := client.Create(ctx, path, nil, zk.Persistent)
				err = cmp.Or(err, zk.Ignore(failed, zk.ErrNodeExists))
			}
		case errors.Is(err, zk.ErrNoNode):
			err = o.nodes.Ensure(ctx, nodes.Parent(now.path))
		case errors.Is(err, zk.ErrNodeExists): // An earlier process with the same id has left it.
			err = zk.Ignore(client.Delete(ctx, now.path, zk.AnyVersion), zk.ErrNoNode)
		default:
			return err
		}
		if err != nil {
			return err
		}
	}
}
