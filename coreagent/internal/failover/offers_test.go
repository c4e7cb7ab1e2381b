package failover_test

import (
	"log/slog"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// The bubble's clock is half an hour after fire, and the job fires at each full hour.
func inHour(t *testing.T, test func(f *fixture, s *survivor, fire time.Time)) {
	t.Helper()
	inBubble(t, func(f *fixture, s *survivor) {
		time.Sleep(30 * time.Minute)
		test(f, s, time.Now().Truncate(time.Hour))
	})
}

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// The offer names the fire time of the dead instance's run. No offer is made if the shard's record
// shows the run as completed, or if the fire time hasn't come and the run had only made its markers
// early.
func TestW73W79OfferNamesTheInterruptedRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		record func(fire time.Time) string
		want   func(fire time.Time) string
	}{
		"interrupted": {
			func(fire time.Time) string { return millis(fire.Add(-time.Hour)) + " " + dead + "@-@" + millis(fire) },
			millis,
		},
		"interrupted trigger": {
			func(fire time.Time) string { return millis(fire) + " " + dead + "@-@t" + millis(fire.Add(time.Minute)) },
			func(fire time.Time) string { return "t" + millis(fire.Add(time.Minute)) },
		},
		"completed since": {
			func(fire time.Time) string { return millis(fire) + " " + dead + "@-@" + millis(fire) },
			func(time.Time) string { return "absent" },
		},
		"not begun": {
			func(fire time.Time) string {
				return millis(fire) + " " + dead + "@-@" + millis(time.Now().Add(100*time.Millisecond))
			},
			func(time.Time) string { return "absent" },
		},
		"no record":            {nil, func(time.Time) string { return "" }},
		"not a record":         {func(time.Time) string { return "by hand" }, func(time.Time) string { return "" }},
		"an older version ran": {func(fire time.Time) string { return millis(fire.Add(-time.Hour)) + " " + dead }, millis},
		"a Java agent ran": {
			func(fire time.Time) string {
				return millis(fire.Add(-time.Hour)) + " 10.0.0.8@-@8@-@" + millis(fire.Add(-time.Hour))
			},
			millis,
		},
	} {
		for way, onlyAgents := range map[string]bool{"one transaction": true, "latch": false} {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				inHour(t, func(f *fixture, s *survivor, fire time.Time) {
					if s.free = false; c.record != nil {
						f.put(f.nodes.Tree.FireRecord(0), c.record(fire))
					}
					if _, err := f.HandleCrash(f.t.Context(), f.crash(onlyAgents), s); err != nil {
						t.Fatal(err)
					}
					f.wants(map[string]string{f.nodes.Tree.FailoverItem(0): c.want(fire), f.nodes.Tree.ItemRunning(0): "absent"})
				})
			})
		}
	}
}

// The record of a rotating shard names only triggers. Without one, the run was for a fire time. If
// that has been completed or hasn't come by this clock, no offer is made. Java agents name nothing,
// so next to them it may have been a trigger.
func TestW73OfferOfARotatingShard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		record    func(fire time.Time) string
		strangers bool
		ahead     time.Duration
		want      func(fire time.Time) string
	}{
		"a fire time that was missed, by a clock that's ahead": {
			record: func(fire time.Time) string { return millis(fire.Add(-time.Hour)) + " " + dead }, ahead: 2 * time.Hour, want: millis,
		},
		"a fire time that was missed": {record: func(fire time.Time) string { return millis(fire.Add(-time.Hour)) + " " + dead }, want: millis},
		"none that was missed":        {record: func(fire time.Time) string { return millis(fire) + " " + dead }, want: func(time.Time) string { return "absent" }},
		"next to a Java agent": {record: func(fire time.Time) string { return millis(fire) + " " + dead }, strangers: true,
			want: func(time.Time) string { return "t" + millis(time.Now()) }},
		"a trigger": {record: func(fire time.Time) string { return millis(fire) + " " + dead + "@-@t" + millis(fire.Add(time.Minute)) },
			want: func(fire time.Time) string { return "t" + millis(fire.Add(time.Minute)) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inHour(t, func(f *fixture, s *survivor, fire time.Time) {
				s.free, s.rotates, s.strangers, s.ahead = false, true, c.strangers, c.ahead
				f.put(f.nodes.Tree.FireRecord(0), c.record(fire))
				if _, err := f.HandleCrash(f.t.Context(), f.crash(false), s); err != nil {
					t.Fatal(err)
				}
				f.wants(map[string]string{f.nodes.Tree.FailoverItem(0): c.want(fire), f.nodes.Tree.ItemRunning(0): "absent"})
			})
		})
	}
}

// An instance that gives back a claim offers the same fire time again, even if a later one has come
// by its clock.
func TestClaimIsGivenBackAsOffered(t *testing.T) {
	t.Parallel()
	for _, rotates := range []bool{false, true} {
		inHour(t, func(f *fixture, s *survivor, fire time.Time) {
			tree := f.nodes.Tree
			s.rotates, s.ahead = rotates, 5*time.Hour
			f.put(tree.FireRecord(0), millis(fire.Add(-time.Hour))+" "+dead)
			f.put(tree.FailoverItem(0), millis(fire))
			if err := f.nodes.Client.Delete(f.t.Context(), tree.ItemRunning(0), zk.AnyVersion); err != nil {
				f.t.Fatal(err)
			}
			if err := f.Take(f.t.Context(), f.config, s); err != nil || !slices.Equal(s.taken, []int{0}) {
				f.t.Fatalf("taken %v, %v", s.taken, err)
			}
			if err := f.Release(f.t.Context(), 0, own, true); err != nil {
				f.t.Fatal(err)
			}
			f.wants(map[string]string{tree.FailoverItem(0): millis(fire), tree.ItemFailover(0): "absent", tree.ItemFailovering(0): "absent"})
		})
	}
}

// A taker died, and its claimed run was then completed elsewhere. The next fire time was missed in
// between, but it isn't the interrupted one.
func TestW73DeadTakerOfASettledRun(t *testing.T) {
	t.Parallel()
	inHour(t, func(f *fixture, s *survivor, fire time.Time) {
		s.free = false
		tree := f.nodes.Tree
		f.put(tree.FireRecord(0), millis(fire.Add(-time.Hour))+" 10.0.0.8@-@8")
		f.put(tree.ItemFailovering(0), dead)
		if _, err := f.HandleCrash(f.t.Context(), f.crash(true), s); err != nil {
			t.Fatal(err)
		}
		f.wants(map[string]string{tree.FailoverItem(0): "absent", tree.ItemRunning(0): "absent", tree.ItemFailovering(0): "absent"})
	})
}

// A free instance takes an offer unless the shard's record shows that the interrupted run is
// settled. Offers by older versions, by Java and by hand don't name the run.
func TestW73ClaimChecksTheRecord(t *testing.T) {
	t.Parallel()
	completed := func(at time.Time) string { return millis(at) + " " + dead }
	for name, c := range map[string]struct {
		offer         func(fire time.Time) string
		before, after func(fire time.Time) string // the record, as written before and after the offer
		withdrawn     bool
		due           func(fire time.Time) jobtree.Due
	}{
		"open": {offer: millis, before: func(fire time.Time) string { return completed(fire.Add(-time.Hour)) },
			due: func(fire time.Time) jobtree.Due { return jobtree.Due{At: fire} }},
		"completed":                   {offer: millis, before: completed, withdrawn: true},
		"a later one completed":       {offer: millis, after: func(fire time.Time) string { return completed(fire.Add(time.Minute)) }, withdrawn: true},
		"an offer without a record":   {offer: millis, due: func(fire time.Time) jobtree.Due { return jobtree.Due{At: fire} }},
		"a record that can't be read": {offer: millis, before: func(time.Time) string { return "x" }, due: func(fire time.Time) jobtree.Due { return jobtree.Due{At: fire} }},
		"a trigger": {offer: func(fire time.Time) string { return "t" + millis(fire) }, after: completed,
			due: func(fire time.Time) jobtree.Due { return jobtree.Due{At: fire, Trigger: true} }},
		"by Java, open": {offer: func(time.Time) string { return "" }, before: func(fire time.Time) string { return completed(fire.Add(-time.Hour)) },
			due: func(fire time.Time) jobtree.Due { return jobtree.Due{At: fire} }},
		"by Java, completed since": {offer: func(time.Time) string { return "" }, after: completed, withdrawn: true},
		"by Java, for a trigger": {offer: func(time.Time) string { return "" }, before: completed,
			due: func(fire time.Time) jobtree.Due { return jobtree.Due{At: fire} }},
		"by hand": {offer: func(time.Time) string { return "please" }, after: completed, withdrawn: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inHour(t, func(f *fixture, s *survivor, fire time.Time) {
				tree := f.nodes.Tree
				if c.before != nil {
					f.put(tree.FireRecord(2), c.before(fire))
				}
				f.put(tree.FailoverItem(2), c.offer(fire))
				if c.after != nil {
					f.put(tree.FireRecord(2), c.after(fire))
				}
				if err := f.Take(f.t.Context(), f.config, s); err != nil {
					t.Fatal(err)
				}
				if c.withdrawn {
					if len(s.taken) > 0 {
						t.Errorf("took %v for %+v", s.taken, s.due)
					}
					f.wants(map[string]string{tree.FailoverItem(2): "absent", tree.ItemFailovering(2): "absent"})
					return
				}
				want := c.due(fire)
				if len(s.taken) != 1 || !s.due.At.Equal(want.At) || s.due.Trigger != want.Trigger {
					t.Errorf("took %v for %+v, want %+v", s.taken, s.due, want)
				}
				f.wants(map[string]string{tree.FailoverItem(2): "absent", tree.ItemFailovering(2): own})
			})
		})
	}
}

// A completed run withdraws the offers that it settles, and no others.
func TestW73CompletedRunWithdrawsTheOffer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		offer func(fire time.Time) string
		want  bool
	}{
		"the same fire time":  {millis, true},
		"an earlier one":      {func(fire time.Time) string { return millis(fire.Add(-time.Hour)) }, true},
		"a later one":         {func(fire time.Time) string { return millis(fire.Add(time.Minute)) }, false},
		"a trigger":           {func(fire time.Time) string { return "t" + millis(fire) }, false},
		"by Java, before now": {func(time.Time) string { return "" }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inHour(t, func(f *fixture, _ *survivor, fire time.Time) {
				tree := f.nodes.Tree
				f.put(tree.FailoverItem(2), c.offer(fire))
				ops, err := f.WithdrawOps(f.t.Context(), 2, jobtree.Due{At: fire})
				if err != nil || len(ops) > 0 != c.want {
					t.Fatalf("%v, %v, want a withdrawal: %v", ops, err, c.want)
				}
				if none, err := f.WithdrawOps(f.t.Context(), 1, jobtree.Due{At: fire}); err != nil || len(none) > 0 {
					t.Errorf("%v, %v of a shard that isn't offered", none, err)
				}
			})
		})
	}
}

// If the record is written between the read and the claim, the claim fails.
func TestW73ClaimDependsOnTheRecord(t *testing.T) {
	t.Parallel()
	inHour(t, func(f *fixture, s *survivor, fire time.Time) {
		tree := f.nodes.Tree
		f.put(tree.FireRecord(2), millis(fire.Add(-time.Hour))+" "+dead)
		f.put(tree.FailoverItem(2), millis(fire))
		other, claims := nodestest.Connect(f.t, f.srv, slog.New(slog.DiscardHandler)), 0
		f.srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if !slices.Contains(r.Paths, tree.ItemFailover(2)) || len(r.Paths) < 2 {
				return zkfake.None
			}
			if claims++; claims == 1 {
				if _, err := other.Client.Set(f.t.Context(), tree.FireRecord(2), []byte(millis(fire)+" "+own), zk.AnyVersion); err != nil {
					f.t.Error(err)
				}
			}
			return zkfake.None
		})
		if err := f.Take(f.t.Context(), f.config, s); err != nil {
			t.Fatal(err)
		}
		if len(s.taken) > 0 || claims != 1 {
			t.Errorf("after %d claims: took %v, which was completed before the claim", claims, s.taken)
		}
		f.wants(map[string]string{tree.FailoverItem(2): "absent"})
	})
}
