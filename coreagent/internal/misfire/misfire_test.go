package misfire

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// If the clock was ahead when the instance began and is right now, the beginning moves with it. The
// time of a suspended machine counts, although the monotonic clock omits it.
func TestBeginningAfterAClockChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b beginning
		start := time.Now()
		if got := b.before(start); !got.Equal(start) {
			t.Errorf("before it began: %v, want %v", got, start)
		}
		b.note(start.Add(3 * time.Hour))
		b.note(start.Add(9 * time.Hour)) // Only the first call counts.
		time.Sleep(time.Hour)
		for name, c := range map[string]struct{ now, want time.Time }{
			"the clock as it was": {start.Add(4 * time.Hour), start.Add(3 * time.Hour)},
			"set right":           {start.Add(time.Hour), start},
			"suspended":           {start.Add(24 * time.Hour), start.Add(3 * time.Hour)},
		} {
			if got := b.before(c.now); !got.Equal(c.want) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	})
}

const id = "10.0.0.1@-@1"

// job implements failover.Job.
type job struct{}

func (job) ID() string { return id }

func (job) Runs(int) (runs, claimed bool)                 { return false, false }
func (job) Missed(time.Time, time.Time) (time.Time, bool) { return time.Time{}, false }
func (job) Rotates() bool                                 { return false }
func (job) OnlyAgents() bool                              { return true }
func (job) Newest(time.Time) time.Time                    { return time.Now() }
func (job) Now() time.Time                                { return time.Now() }

// inBubble runs a test with the misfires of a job that fires each minute, has one shard, and makes
// up for missed fire times. The shard's record covers everything before the bubble.
func inBubble(t *testing.T, test func(t *testing.T, n *nodes.Nodes, s view.Settings, m *Misfires)) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		log := slog.New(slog.DiscardHandler)
		n := nodestest.Connect(t, srv, log)
		config := jobconfig.New("job", 1)
		config.Cron, config.Misfire, config.MonitorExecution, config.Failover = "0 * * * * ?", true, true, true
		document, err := config.Encode()
		if err != nil {
			t.Fatal(err)
		}
		cron, err := quartz.Parse(config.Cron)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.Client.CreateAll(t.Context(), n.Tree.Config(), document, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		for path, data := range map[string][]byte{
			n.Tree.FireRecord(0):                jobtree.FireRecord{Through: time.Now(), Owner: id}.Encode(),
			n.Tree.Server("10.0.0.1"):           []byte(jobtree.ServerEnabled),
			nodes.Parent(n.Tree.ItemMisfire(0)): nil,
			n.Tree.Instances() + "/" + id:       nil,
			n.Agent(id):                         nil,
		} {
			if err := n.Create(t.Context(), path, data, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		tree := view.NewTree(n, "10.0.0.1", jobtree.Hold{}, time.Now, func() {})
		defer tree.Close()
		tree.Watch(n.Tree.Config())
		tree.WatchChildren(n.Tree.Instances())
		if err := tree.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		records := firerecord.New(n, time.Now)
		ledger := NewLedger(Sources{
			Nodes: n, Records: records, Failover: failover.New(n, records, job{}, log), Tree: tree, Log: log, Now: time.Now,
			ID: func() string { return id },
		})
		queue := timers.New(time.Now)
		never := func(time.Time) {}
		s := view.Settings{Config: config, Schedule: cron, Zone: time.UTC, ConfigWritten: time.Now()}
		test(t, n, s, New(ledger, schedule.New(queue, log, never, never), func() {}))
	})
}

// completed returns the newest completed fire time in the shard's record.
func completed(t *testing.T, m *Misfires) time.Time {
	t.Helper()
	last, ok, err := m.Records.Last(t.Context(), 0)
	if err != nil || !ok {
		t.Fatalf("no record: %v", err)
	}
	return last.Completed
}

func marked(t *testing.T, n *nodes.Nodes) bool {
	t.Helper()
	_, is, err := n.Client.Exists(t.Context(), n.Tree.ItemMisfire(0))
	if err != nil {
		t.Fatal(err)
	}
	return is
}

// A run that ended without a session is recorded once, and is beaten if another run of its fire
// time was recorded first.
func TestRememberedRunIsRecorded(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *nodes.Nodes, _ view.Settings, m *Misfires) {
		first, second := new(Run), new(Run)
		fire := time.Now().Add(time.Minute)
		due := jobtree.Due{At: fire}
		time.Sleep(90 * time.Second)
		m.ShardOver(first, 0, due)
		m.SessionLost(first)
		m.Remember(first, []int{0}, jobtree.Due{At: fire.Add(time.Hour)}) // Its shard is remembered already.
		for _, run := range []*Run{first, second} {
			if !m.Pending(run, []int{0}) {
				t.Error("the run isn't remembered")
			}
			if err := m.Record(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			if at := completed(t, m); !at.Equal(fire) || m.Pending(run, []int{0}) {
				t.Errorf("recorded as completed: %v, want %v", at, fire)
			}
			if beaten := run == second; run.Beaten.Load() != beaten {
				t.Errorf("beaten: %v, want %v", run.Beaten.Load(), beaten)
			}
			m.Remember(second, []int{0}, due)
		}
	})
}

// A run here counts for its fire time and for earlier ones.
func TestCompletedHere(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *nodes.Nodes, _ view.Settings, m *Misfires) {
		at := time.Now()
		m.NoteCompleted([]int{0}, at)
		m.NoteCompleted([]int{0}, at.Add(-time.Minute))
		for shard, c := range map[int]struct {
			at   time.Time
			want bool
		}{0: {at, true}, 1: {at, false}} {
			if m.Completed(shard, c.at) != c.want || m.Completed(shard, c.at.Add(time.Second)) {
				t.Errorf("shard %d: completed %v", shard, !c.want)
			}
		}
	})
}

// Shards that missed a fire time get a marker. The run for it completes the fire time. The marker
// of a completed fire time is removed.
func TestLookBack(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, s view.Settings, m *Misfires) {
		if err := m.MarkOwn(t.Context(), s, []int{0}, true); err != nil || marked(t, n) {
			t.Fatalf("a shard that has missed nothing is marked (%v)", err)
		}
		m.Begin()
		time.Sleep(150 * time.Second)
		if err := m.MarkOwn(t.Context(), s, []int{0}, true); err != nil || !marked(t, n) {
			t.Fatalf("a shard that has missed two fire times isn't marked (%v)", err)
		}
		newest := time.Now().Truncate(time.Minute)
		judged, err := m.Judge(t.Context(), s, 0, s.ConfigWritten)
		if err != nil || judged.LeftOut || !judged.Missed.Equal(newest) {
			t.Fatalf("judged %+v (%v), want the newest: %v", judged, err, newest)
		}
		m.Remember(new(Run), []int{0}, jobtree.Due{At: newest})
		if err := m.Record(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		if judged, err := m.Judge(t.Context(), s, 0, s.ConfigWritten); err != nil || !judged.LeftOut || judged.Later || marked(t, n) {
			t.Errorf("judged %+v (%v), marked %v", judged, err, marked(t, n))
		}
	})
}

// An instance that doesn't know yet that misfire was switched off leaves no marker.
func TestMarkChecksTheStoredConfiguration(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, s view.Settings, m *Misfires) {
		off := s.Config.Clone()
		off.Misfire = false
		document, err := off.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.Client.Set(t.Context(), n.Tree.Config(), document, zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if err := m.Mark(t.Context(), 0); err != nil || marked(t, n) {
			t.Errorf("the shard is marked (%v)", err)
		}
	})
}

// A fire time that has waited is still due unless the schedule was edited or the server was
// disabled at that time.
func TestWaitedFireTime(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, s view.Settings, m *Misfires) {
		time.Sleep(90 * time.Second)
		fire := time.Now().Truncate(time.Minute)
		at, still, _, err := m.CurrentFireTime(t.Context(), s, fire)
		if err != nil || !still || !at.Equal(fire) {
			t.Errorf("still due: %v for %v (%v)", still, at, err)
		}
		edited := s
		edited.ConfigWritten = fire.Add(-time.Second)
		hourly, err := quartz.Parse("0 0 * * * ?")
		if err != nil {
			t.Fatal(err)
		}
		edited.Schedule = hourly
		if at, still, _, err := m.CurrentFireTime(t.Context(), edited, fire); err != nil || still {
			t.Errorf("a fire time of the schedule before the edit is due: %v (%v)", at, err)
		}
		if served, err := m.EnabledAt(t.Context(), nil, fire); err != nil || !served {
			t.Errorf("served: %v (%v)", served, err)
		}
		if _, err := n.Client.Set(t.Context(), n.Tree.Server("10.0.0.1"), []byte(jobtree.ServerDisabled), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if served, err := m.EnabledAt(t.Context(), nil, fire); err != nil || served {
			t.Errorf("served by a disabled server: %v (%v)", served, err)
		}
	})
}
