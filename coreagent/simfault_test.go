//go:build sim

// Run by `make sim`, without the race detector: under these faults the client
// library's own race on its newest transaction number shows now and then.

package coreagent_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// simFaultSeeds is how many random fleets TestSimFaults runs; SIM_SEEDS asks
// for more.
const simFaultSeeds = 20

// TestSimFaults runs random fleets under random faults, chosen by seed: crash,
// drain, broken connections, lost requests and replies, slow replies, dropped
// watch events, restarts of the server, changed settings. A session that the
// server ends before its time is not among them: no client learns of that in
// time.
//
// At any time: no item runs on two instances at once. After the faults have
// ended and the fleet had time to repair itself: every fire time runs every
// item exactly once, and nothing stale is left in the tree.
//
// SIM_SEEDS=n runs n seeds, SIM_SEED=n replays one, SIM_LOG=1 prints its log.
func TestSimFaults(t *testing.T) {
	first, count := uint64(1), uint64(simFaultSeeds)
	if s := os.Getenv("SIM_SEEDS"); s != "" {
		n, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			t.Fatalf("SIM_SEEDS: %v", err)
		}
		count = n
	}
	if os.Getenv("SIM_SEED") != "" {
		first, count = simSeed(t), 1
	}
	executions := 0
	for seed := first; seed < first+count; seed++ {
		synctest.Test(t, func(t *testing.T) { executions += simFaults(t, seed) })
		if t.Failed() {
			return
		}
	}
	t.Logf("%d seeds, %d executions", count, executions)
}

// The phases of a simulated fleet.
const (
	faultPhase  = 30 * time.Minute
	repairPhase = 6 * time.Minute // two reconcile intervals and some
	quietPhase  = 5 * time.Minute
)

func simFaults(t *testing.T, seed uint64) int {
	random := rand.New(rand.NewPCG(seed, 1))
	period := []time.Duration{10 * time.Second, 30 * time.Second, time.Minute}[random.IntN(3)]
	cron := map[time.Duration]string{10 * time.Second: "0/10 * * * * ?", 30 * time.Second: "0/30 * * * * ?", time.Minute: "0 * * * * ?"}[period]
	items := 1 + random.IntN(12)
	out := io.Discard
	if os.Getenv("SIM_LOG") != "" {
		out = t.Output()
	}
	srv := zkfake.New(zkfake.Options{})
	f := &fleet{
		t: t, srv: srv, random: random, body: period / 3,
		job: coreagent.Job{
			Name: "billing", Cron: cron, TimeZone: "GMT", Shards: items, Failover: random.IntN(2) == 0,
			ReconcileInterval: time.Minute,
		},
		log: slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	f.job.EagerFailover = f.job.Failover && random.IntN(2) == 0
	if items == 1 || random.IntN(8) == 0 {
		f.job.Shards, f.job.Strategy = 1, "SINGLE_SHARDING_BALANCE"
		items = 1
	}
	processes := make([]*process, 2+random.IntN(5))
	for i := range processes {
		processes[i] = f.start(i + 1)
	}
	operator := f.operator()
	traffic := newTraffic(random)
	srv.SetFault(traffic.request)
	srv.SetWatchFault(traffic.dropWatch)

	for end := time.Now().Add(faultPhase); time.Now().Before(end); {
		time.Sleep(time.Duration(random.Int64N(int64(time.Minute))))
		if random.IntN(6) == 0 {
			time.Sleep(time.Until(time.Now().Truncate(period).Add(period)))
		}
		f.fault(processes, operator)
	}
	traffic.stop()
	for i, p := range processes {
		if p.dead() {
			processes[i] = f.start(i + 1)
		}
	}
	time.Sleep(repairPhase)
	time.Sleep(time.Until(time.Now().Truncate(period).Add(period + period/2)))
	quiet := time.Now()
	time.Sleep(quietPhase)
	time.Sleep(time.Until(time.Now().Truncate(period).Add(period - time.Millisecond)))
	last := time.Now()

	total := f.storedShards(operator)
	report(t, seed, "overlap", f.history.overlaps())
	report(t, seed, "missed or repeated fire time in the quiet phase", f.history.notOnce(total, quiet, last, period))
	report(t, seed, "stale node", f.stale(total))

	for _, p := range processes {
		if err := p.agent.Stop(t.Context()); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	f.stops.Wait()
	_ = operator.Close()
	if err := srv.Close(); err != nil {
		t.Error(err)
	}
	return len(f.history.list)
}

// traffic spoils requests and watch events at random.
type traffic struct {
	random  chan *rand.Rand // a semaphore of one
	spoil   float64         // share of requests that suffer
	drop    float64         // share of watch events that are lost
	stopped chan struct{}
}

func newTraffic(random *rand.Rand) *traffic {
	tr := &traffic{random: make(chan *rand.Rand, 1), stopped: make(chan struct{})}
	tr.random <- rand.New(rand.NewPCG(random.Uint64(), 2))
	tr.spoil = []float64{0, 0.0005, 0.005}[random.IntN(3)]
	tr.drop = []float64{0, 0.01, 0.1}[random.IntN(3)]
	return tr
}

func (tr *traffic) stop() { close(tr.stopped) }

func (tr *traffic) roll() (float64, bool) {
	select {
	case <-tr.stopped:
		return 0, false
	default:
	}
	r := <-tr.random
	defer func() { tr.random <- r }()
	return r.Float64(), true
}

func (tr *traffic) request(zkfake.Request) zkfake.Fault {
	roll, on := tr.roll()
	switch {
	case !on || roll >= tr.spoil:
		return zkfake.None
	case roll < tr.spoil/3:
		return zkfake.LoseReply
	case roll < tr.spoil*2/3:
		return zkfake.LoseRequest
	}
	return zkfake.Delay(2 * time.Second)
}

func (tr *traffic) dropWatch(zkfake.WatchEvent) bool {
	roll, on := tr.roll()
	return on && roll < tr.drop
}

// operator is a client for what people do to the tree.
func (f *fleet) operator() *zk.Client {
	c, err := zk.Connect(f.t.Context(), zk.Config{Servers: []string{"zookeeper:2181"}, Dial: f.srv.Dial, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func (f *fleet) tree() jobtree.Job {
	ns, err := jobtree.NewNamespace("sim")
	if err != nil {
		f.t.Fatal(err)
	}
	return ns.Job(f.job.Name)
}

// fault does one thing to the fleet.
func (f *fleet) fault(processes []*process, operator *zk.Client) {
	i := f.random.IntN(len(processes))
	p := processes[i]
	switch f.random.IntN(8) {
	case 0, 1: // crash; at least one process stays
		alive := 0
		for _, q := range processes {
			if !q.dead() {
				alive++
			}
		}
		if !p.dead() && alive > 1 {
			p.crash()
			f.bury(p)
		}
	case 2, 3: // come back
		if p.dead() {
			processes[i] = f.start(i + 1)
		}
	case 4: // rolling restart with a drain
		if !p.dead() {
			ctx, cancel := context.WithTimeout(context.Background(), f.body+time.Second)
			if err := p.agent.Stop(ctx); err != nil {
				f.t.Errorf("drain: %v", err)
			}
			cancel()
			processes[i] = f.start(i + 1)
		}
	case 5: // the connections break
		f.srv.DropConnections()
	case 6: // the server restarts, quickly or beyond the session timeout
		f.srv.Stop()
		time.Sleep(time.Duration(f.random.Int64N(int64(15 * time.Second))))
		if err := f.srv.Start(); err != nil {
			f.t.Fatal(err)
		}
	case 7: // an operator changes the number of items, or failover
		if err := f.edit(operator); err != nil && !zk.Retriable(err) {
			f.t.Errorf("edit: %v", err)
		}
	}
}

func (f *fleet) edit(operator *zk.Client) error {
	data, stat, err := operator.Get(f.t.Context(), f.tree().Config())
	if err != nil {
		return err
	}
	config, err := jobtree.DecodeConfig(data)
	if err != nil {
		return err
	}
	config.Shards = 1 + f.random.IntN(12)
	if f.random.IntN(3) == 0 {
		config.Failover = !config.Failover
	}
	encoded, err := config.Encode()
	if err != nil {
		return err
	}
	_, err = operator.Set(f.t.Context(), f.tree().Config(), encoded, stat.Version)
	if errors.Is(err, zk.ErrBadVersion) {
		return nil // An earlier edit whose reply was lost.
	}
	return err
}

func (f *fleet) storedShards(operator *zk.Client) int {
	data, _, err := operator.Get(f.t.Context(), f.tree().Config())
	if err != nil {
		f.t.Fatal(err)
	}
	config, err := jobtree.DecodeConfig(data)
	if err != nil {
		f.t.Fatal(err)
	}
	return config.Shards
}

// notOnce returns the fire times in (from, to] that an item did not run
// exactly once.
func (h *history) notOnce(items int, from, to time.Time, period time.Duration) []string {
	type key struct {
		item int
		at   int64
	}
	runs := make(map[key]int)
	for _, e := range h.list {
		if e.completed && !e.start.Before(from) {
			runs[key{e.item, e.start.Truncate(period).Unix()}]++
		}
	}
	var found []string
	for at := from.Truncate(period).Add(period); !at.After(to); at = at.Add(period) {
		for item := range items {
			if n := runs[key{item, at.Unix()}]; n != 1 {
				found = append(found, fmt.Sprintf("%s: item %d ran %d times%s", at.Format(time.TimeOnly), item, n, h.around(item, at, 2*period)))
			}
		}
	}
	return found
}

// stale returns nodes that a quiet fleet must not have.
func (f *fleet) stale(total int) []string {
	var found []string
	root := f.tree().Root()
	items := 0
	for _, n := range f.srv.Dump(root) {
		path := strings.TrimPrefix(n.Path, root)
		switch {
		case strings.HasPrefix(path, "/sharding/") && strings.Count(path, "/") == 2:
			items++
		case strings.HasPrefix(path, "/sharding/") && !strings.HasSuffix(path, "/instance"),
			strings.HasPrefix(path, "/leader/failover/items/"),
			strings.HasPrefix(path, "/leader/sharding/"),
			strings.Contains(path, "latch-"):
			found = append(found, fmt.Sprintf("%s = %q", path, n.Data))
		}
	}
	if items != total {
		found = append(found, fmt.Sprintf("%d items exist, the configuration says %d", items, total))
	}
	return found
}
