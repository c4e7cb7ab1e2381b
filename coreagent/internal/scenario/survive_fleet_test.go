package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestMS15AlternatingRestarts: for half an hour, two processes take turns at being killed or
// drained and started again, while the job runs and while it doesn't. The job should stay alive,
// and nothing should be left behind.
func TestMS15AlternatingRestarts(t *testing.T) {
	for name, drain := range map[string]bool{"killed": false, "drained": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				const shards, period = 4, 10 * time.Second
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: shards, Failover: true}
				started := 0
				start := func(host int) *member {
					started++
					m := b.host(host, fmt.Sprint(started))
					return m.serve(job, m.work(4*time.Second)).start()
				}
				pair := []*member{start(1), start(2)}
				end := time.Now().Add(30 * time.Minute)
				if underRace {
					end = time.Now().Add(10 * time.Minute)
				}
				for i := 0; time.Now().Before(end); i++ {
					time.Sleep(time.Duration(3+i%7) * time.Second)
					time.Sleep(time.Duration(i%5) * 500 * time.Millisecond)
					if drain {
						b.must(pair[i%2].Stop(b.ctx()))
					} else {
						pair[i%2].kill()
					}
					time.Sleep(time.Duration(i%3) * time.Second)
					from := time.Now()
					pair[i%2] = start(1 + i%2)
					time.Sleep(3 * b.session)
					if got := b.runs.completions("job", shards, from, time.Now()); slices.Min(got) == 0 {
						t.Errorf("after restart %d: completed %v:%s", i, got, story(b.runs.between("job", from, time.Now())))
						return
					}
				}
				time.Sleep(2 * b.session)
				at := sleepUntilNext(period)
				time.Sleep(period - time.Second)
				if got := b.runs.completions("job", shards, at, time.Now()); !slices.Equal(got, times(shards, 1)) {
					t.Errorf("afterwards a fire time ran %v", got)
				}
				if found := b.leftovers("job"); len(found) > 0 {
					t.Errorf("stale: %q", found)
				}
				if found := b.runs.overlaps("job", shards); len(found) > 0 {
					t.Errorf("overlaps: %s", found)
				}
				t.Logf("%d starts", started)
			})
		})
	}
}

// TestMS16RollingDeployment: during a rolling deployment of 20 pods, each shard should complete
// each fire time exactly once.
func TestMS16RollingDeployment(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const period = time.Minute
		pods := 20
		if underRace {
			pods = 6
		}
		shards := 2 * pods
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?", Zone: "GMT"}, Shards: shards, Failover: true}
		start := func(n int) *member {
			m := b.agent(n)
			return m.serve(job, m.work(20*time.Second)).start()
		}
		fleet := make([]*member, pods)
		for i := range fleet {
			fleet[i] = start(i + 1)
		}
		first := time.Now().Truncate(period).Add(period)
		time.Sleep(period)
		for i := range fleet {
			b.must(fleet[i].Stop(b.ctx()))
			time.Sleep(3 * time.Second)
			fleet[i] = start(100 + i)
			time.Sleep(4 * time.Second)
		}
		time.Sleep(2*period - time.Second)
		last := time.Now().Truncate(period)
		time.Sleep(30 * time.Second)
		runs := make(map[int64][]int)
		for _, r := range b.runs.of("job", -1) {
			at := r.shard.ScheduledAt.Truncate(period).Unix()
			if runs[at] == nil {
				runs[at] = make([]int, shards)
			}
			if r.err == nil && !r.end.IsZero() {
				runs[at][r.shard.Item]++
			}
		}
		fires := 0
		for at := first; !at.After(last); at = at.Add(period) {
			fires++
			if got := runs[at.Unix()]; !slices.Equal(got, times(shards, 1)) {
				t.Errorf("fire time %s: %v", at.Format(time.TimeOnly), got)
			}
		}
		if found := b.runs.overlaps("job", shards); len(found) > 0 {
			t.Errorf("overlaps: %s", found)
		}
		t.Logf("%d fire times", fires)
	})
}

// TestMS17FailedShard: if a shard's handler returns an error or panics, that shard and the others
// should run at the next fire time, and its marker shouldn't stay. It shouldn't block a resharding
// either.
func TestMS17FailedShard(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		for _, failover := range []bool{false, true} {
			name := fmt.Sprintf("job-%v", failover)
			job := coreagent.Job{Name: name, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: failover}
			fail := func(_ context.Context, s *coreagent.Shard) error {
				if s.Item == 0 {
					return errors.New("no luck today")
				}
				return nil
			}
			one := b.agent(1).serve(job, fail).start()
			b.await("both shards ran five times", func() bool { return b.runs.count(name, 0) >= 5 && b.runs.count(name, 1) >= 5 })
			for i, r := range b.runs.of(name, 0)[:4] {
				if next := b.runs.of(name, 0)[i+1]; next.shard.ScheduledAt.Sub(r.shard.ScheduledAt) != time.Second {
					b.Errorf("scheduled %v after %v", next.shard.ScheduledAt, r.shard.ScheduledAt)
				}
			}
			two := b.agent(2).serve(job, fail).start()
			b.awaitOwners(name, two.id, one.id)
			b.must(two.Stop(b.ctx()))
			b.awaitOwners(name, one.id, one.id)
			b.await("the missed fire times are made up for", func() bool { // A stopping agent leaves it.
				_, first := b.get(b.tree.Job(name).ItemMisfire(0))
				_, second := b.get(b.tree.Job(name).ItemMisfire(1))
				return !first && !second
			})
			b.must(one.Stop(b.ctx()))
			// The last agent may just have requested a resharding because the other one left, or
			// may have missed a fire time while stopping. It leaves both to the next agent.
			tree := b.tree.Job(name)
			forTheNext := []string{tree.Necessary(), tree.ItemMisfire(0), tree.ItemMisfire(1)}
			b.await("no stale node", func() bool {
				return !slices.ContainsFunc(b.leftovers(name), func(path string) bool { return !slices.Contains(forTheNext, path) })
			})
		}
	})
}

// resource is an external resource that shards write to. It remembers the largest token and refuses
// smaller ones.
type resource struct {
	mu      sync.Mutex
	token   map[int]int64
	writer  map[int]string
	refused []string // the refused writers
}

func (r *resource) write(s *coreagent.Shard, who string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.FencingToken < r.token[s.Item] {
		r.refused = append(r.refused, who)
		return false
	}
	r.token[s.Item], r.writer[s.Item] = s.FencingToken, who
	return true
}

func (r *resource) last(shard int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.writer[shard]
}

func (r *resource) refusals() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.refused)
}

// oneWay is a network line that can go silent in one direction without an error on either side.
type oneWay struct {
	deaf, mute atomic.Bool
}

func (w *oneWay) over(line func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if w.deaf.Load() || w.mute.Load() {
			<-ctx.Done() // The TCP handshake needs both directions.
			return nil, context.Cause(ctx)
		}
		c, err := line(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &oneWayConn{Conn: c, way: w}, nil
	}
}

type oneWayConn struct {
	net.Conn
	way *oneWay
}

func (c *oneWayConn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if err != nil || !c.way.deaf.Load() {
			return n, err
		}
	}
}

func (c *oneWayConn) Write(p []byte) (int, error) {
	if c.way.mute.Load() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// partition is two agents, one of them on a line that can go silent, and the resource that they
// write to.
type partition struct {
	*fixture
	cutOff, other *member
	silent        *atomic.Bool // the line of cutOff
	world         resource
	ended         sync.Map // by shard: when the context of the cut-off agent ended
}

// write is a handler that writes for seconds. On the cut-off agent it goes on for a minute and
// ignores its context.
func (p *partition) write(m *member) func(ctx context.Context, s *coreagent.Shard) error {
	return func(ctx context.Context, s *coreagent.Shard) error {
		writes := 10
		if m == p.cutOff {
			writes = 600
			stop := context.AfterFunc(ctx, func() { p.ended.LoadOrStore(s.Item, time.Now()) })
			defer stop()
		}
		for range writes {
			if ctx.Err() != nil && !p.silent.Load() {
				return context.Cause(ctx)
			}
			if !p.world.write(s, m.id) {
				return errors.New("somebody else owns it")
			}
			time.Sleep(100 * time.Millisecond)
		}
		return nil
	}
}

// wantFenced checks a shard that the cut-off agent ran at a fire time and that the other one took
// over.
func (p *partition) wantFenced(shard int, at time.Time) {
	p.Helper()
	runs := p.runs.of("job", shard)
	first := runs[slices.IndexFunc(runs, func(r run) bool { return r.agent == p.cutOff.id && !r.start.Before(at) })]
	next := runs[slices.IndexFunc(runs, func(r run) bool { return r.agent == p.other.id })]
	when, ok := p.ended.Load(shard)
	if !ok || !errors.Is(first.cause, coreagent.ErrSessionLost) {
		p.Fatalf("shard %d: the context ended with %v", shard, first.cause)
	}
	if next.start.Before(when.(time.Time)) {
		p.Errorf("shard %d: started elsewhere at %v, the context ended at %v", shard, next.start, when)
	}
	if next.shard.FencingToken <= first.shard.FencingToken {
		p.Errorf("shard %d: token %d after %d", shard, next.shard.FencingToken, first.shard.FencingToken)
	}
	if who := p.world.last(shard); who != p.other.id {
		p.Errorf("shard %d was last written by %s", shard, who)
	}
}

// TestMS19AsymmetricPartition: one agent either receives nothing, or its requests don't arrive. Its
// contexts should end before another agent starts its shards. If a handler ignores its context, its
// later writes should be refused because of their token.
func TestMS19AsymmetricPartition(t *testing.T) {
	for name, side := range map[string]func(*oneWay) *atomic.Bool{
		"hears nothing": func(w *oneWay) *atomic.Bool { return &w.deaf },
		"is not heard":  func(w *oneWay) *atomic.Bool { return &w.mute },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				way := &oneWay{}
				p := &partition{fixture: b, silent: side(way), world: resource{token: make(map[int]int64), writer: make(map[int]string)}}
				p.cutOff = b.agent(1, func(cfg *coreagent.Config) { cfg.ZooKeeper.Dial = way.over(srv.Dial) })
				p.other = b.agent(2)
				for _, m := range []*member{p.cutOff, p.other} {
					m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/30 * * * * ?"}, Shards: 4}, p.write(m)).start()
				}
				b.awaitOwners("job", p.other.id, p.other.id, p.cutOff.id, p.cutOff.id)
				at := sleepUntilNext(30 * time.Second)
				time.Sleep(time.Second)
				p.silent.Store(true)
				time.Sleep(5 * time.Minute)
				if refused := p.world.refusals(); !slices.Equal(slices.Compact(refused), []string{p.cutOff.id}) {
					t.Errorf("refused: %q", refused)
				}
				p.wantFenced(2, at)
				p.wantFenced(3, at)
				p.silent.Store(false)
				b.awaitOwners("job", p.other.id, p.other.id, p.cutOff.id, p.cutOff.id)
			})
		})
	}
}
