package statistics_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// hourly fires at every full hour.
const hourly = `cron: 0 0 * * * ?\ntimeZone: GMT+0\n`

// instances are the nodes that disappear with the two instances of sound.
var instances = []string{"j/instances/" + leaderID, "j/instances/" + secondID, "j/leader/election/instance"}

// planted is a cause and the expected judgement.
type planted struct {
	config  string   // instead of hourly
	tree    string   // added to sound; {now} is some minutes before the time of the judgement
	without []string // nodes removed from sound
	// runs are the runs in the history. "-2 ok,ok+50m" is a run two hours ago, in which shard 1
	// took 50 minutes. If it's empty, there's a successful run for each of the last three hours.
	runs []string
	// away is set if the history can't be read, and none if it has no run of the job.
	away, none bool
	// unwritten is the time of the newest row of any job, in hours from now; 0 if unknown.
	unwritten int
	// wrote are the instances that have just recorded a run of another job.
	wrote []string
	// left is the expected number of running shards; 0 if it isn't checked.
	left int
	// fired are the newest fire times that the shards have completed, in hours from now.
	fired []int
	// ranNothing is set if the shards only passed these fire times, without running.
	ranNothing bool

	state State
	code  statistics.Code // the expected first finding; empty if no finding decides
	// The answer must have all checks in holds and none in claims.
	holds, claims []statistics.CheckCode

	// cure changes the tree as the finding advises, or as agents would. After that, or after the
	// runs in recovers, there must be no finding, and the state must be cured, which is Healthy by
	// default.
	cure     string
	recovers []string
	cured    State
}

func (p planted) remedied() planted {
	if p.recovers != nil {
		p.runs, p.none, p.away, p.fired, p.unwritten = p.recovers, false, false, nil, 0
	}
	p.state, p.holds, p.claims = cmp.Or(p.cured, explain.Healthy), nil, nil
	return p
}

// State is short for explain.State.
type State = explain.State

// nowOf returns the time of all judgements, some minutes after a fire time.
func nowOf() time.Time {
	return time.Now().UTC().Truncate(time.Hour).Add(24*time.Hour + 10*time.Minute)
}

// runAt returns the run of a row in planted.runs.
func runAt(row string, now time.Time) explain.Run {
	var hours int
	var ends string
	if _, err := fmt.Sscanf(row, "%d %s", &hours, &ends); err != nil {
		panic(err)
	}
	at := now.Truncate(time.Hour).Add(time.Duration(hours) * time.Hour)
	r := explain.Run{ScheduledAt: at, Start: at.Add(time.Millisecond), End: at.Add(time.Second), Trigger: tracing.TriggerSchedule}
	for item, end := range strings.Split(ends, ",") {
		owner := []string{secondID, leaderID}[item%2]
		end, took, _ := strings.Cut(end, "+")
		if d, err := time.ParseDuration(took); err == nil {
			r.End = at.Add(d)
		}
		switch end {
		case "ok":
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Succeeded, IP: "10.0.0.1", Instance: owner})
		case "gone": // It succeeded, but its instance has left.
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Succeeded, IP: "10.0.0.9", Instance: "10.0.0.9@-@1"})
		case "failed":
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Failed, IP: "10.0.0.1", Instance: owner})
			r.Cause, r.CauseItem = "disk is full", item
		case "lost":
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Lost, IP: "10.0.0.1", Instance: owner})
		case "on":
			r.Shards, r.End = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Goes, IP: "10.0.0.1", Instance: owner}), time.Time{}
		case "-": // It took no part.
		case "manual":
			r.ScheduledAt, r.Trigger, r.Start = time.Time{}, tracing.TriggerManual, at.Add(-7*time.Minute)
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Succeeded, IP: "10.0.0.1", Instance: owner})
		case "java":
			r.ScheduledAt, r.Trigger, r.Together = time.Time{}, "", true
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Succeeded, IP: "10.0.0.1", Instance: owner})
		default:
			panic(row)
		}
	}
	return r
}

func (p planted) digest(now time.Time, j *statistics.Job) *explain.Digest {
	rows := p.runs
	if rows == nil && !p.none && !p.away {
		rows = []string{"0 ok,ok", "-1 ok,ok", "-2 ok,ok"}
	}
	var runs []explain.Run
	for _, row := range rows {
		runs = append(runs, runAt(row, now))
	}
	slices.SortStableFunc(runs, func(a, b explain.Run) int { return b.Start.Compare(a.Start) })
	d := explain.DigestOf(runs, true)
	with := &d
	if p.fired != nil {
		fired := statistics.Fired{At: now, Shards: make(map[int]statistics.FiredShard)}
		for item, hours := range p.fired {
			at := now.Truncate(time.Hour).Add(time.Duration(hours) * time.Hour)
			fired.Shards[item] = statistics.FiredShard{Completed: at, Through: at, Owner: leaderID}
			if p.ranNothing {
				fired.Shards[item] = statistics.FiredShard{Through: at, Owner: leaderID}
			}
		}
		with = with.With(&fired, false)
	}
	return with.Planned(j)
}

func (p planted) newestRow(now time.Time) time.Time {
	if p.unwritten == 0 {
		return time.Time{}
	}
	return now.Add(time.Duration(p.unwritten) * time.Hour)
}

func (p planted) writers(now time.Time) *explain.Writers {
	var w explain.Writers
	for _, id := range p.wrote {
		d := explain.DigestOf([]explain.Run{{Start: now, End: now, Shards: []explain.ShardRun{{Outcome: explain.Succeeded, Instance: id}}}}, true)
		w.Note(&d)
	}
	return &w
}

type site struct {
	bundle
	now time.Time
}

func newSite(t *testing.T, addr string) site {
	t.Helper()
	b := treetest.New(t, addr)
	s := site{bundle{b, statistics.NewReader(b.Registry())}, nowOf()}
	s.reader.SetClock(func() time.Time { return s.now })
	return s
}

func (s site) plant(t *testing.T, tree string) {
	t.Helper()
	s.Plant(t, strings.ReplaceAll(tree, "{now}", strconv.FormatInt(s.now.Add(-5*time.Minute).UnixMilli(), 10)))
}

func (p planted) plant(t *testing.T, s site) {
	t.Helper()
	s.plant(t, sound(cmp.Or(p.config, hourly))+p.tree+without(p.without))
}

// judge judges the job as in the list, and with Explain.
func (p planted) judge(t *testing.T, s site) (explain.Judgement, explain.Answer) {
	t.Helper()
	why, err := s.reader.Explain(t.Context(), "j")
	if err != nil {
		t.Fatal(err)
	}
	row, listed := s.jobs(t)["j"]
	if !listed {
		t.Fatal("the job isn't listed")
	}
	e := explain.Evidence{Job: &row, Runs: p.digest(s.now, &row), Known: !p.away, Newest: p.newestRow(s.now), Writers: p.writers(s.now), Now: s.now}
	inList := explain.Judge(e)
	if p.left > 0 && inList.Left != p.left {
		t.Errorf("%d shards are left, want %d", inList.Left, p.left)
	}
	row.Findings = why.Findings
	return inList, explain.Explain(why, e)
}

func TestPlantedCauses(t *testing.T) {
	t.Parallel()
	server := zktest.Fake(t)
	for name, p := range plantedCauses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, server.Addr)
			p.plant(t, s)
			answer := p.check(t, s)
			if p.code != "" && (len(answer.Findings) == 0 || answer.Findings[0].Code != p.code) {
				t.Fatalf("the first finding isn't %s: %s", p.code, codes(answer.Findings))
			}
			if p.code == "" && answer.Finding != nil {
				t.Errorf("%s decides", answer.Finding.Code)
			}
			if !p.hasRemedy() || t.Failed() {
				return
			}
			found := answer.Findings[0]
			s.plant(t, p.cure)
			answer = p.remedied().check(t, s)
			if slices.ContainsFunc(answer.Findings, func(f statistics.Finding) bool { return f.Code == found.Code && f.Effect == found.Effect }) {
				t.Errorf("%s is still there after the remedy: %s", found.Code, found.Advice)
			}
		})
	}
}

// TestW88EndedSinceTheLastFireTime: a schedule without fire times to come ended at its last fire time,
// and not when the configuration was written.
func TestW88EndedSinceTheLastFireTime(t *testing.T) {
	t.Parallel()
	server := zktest.Fake(t)
	last := nowOf().Truncate(time.Hour)
	for name, config := range map[string]string{
		"until": hourly + `props:\n  schedule.until: ` + last.Add(30*time.Minute).Format(time.RFC3339) + `\n`,
		"year":  `cron: ` + last.Format("0 0 15 2 1 ? 2006") + `\ntimeZone: GMT+0\n`,
	} {
		s := newSite(t, server.Addr)
		s.now = last.Add(10 * time.Minute)
		planted{config: config}.plant(t, s)
		why, err := s.reader.Explain(t.Context(), "j")
		if err != nil {
			t.Fatal(err)
		}
		if len(why.Findings) == 0 || !why.Findings[0].Since.Equal(last) {
			t.Errorf("%s: the last fire time was %v: %+v", name, last, why.Findings)
		}
	}
}

func (p planted) hasRemedy() bool { return p.cure != "" || p.recovers != nil }

// check fails if the judgement isn't as expected, and returns the answer.
func (p planted) check(t *testing.T, s site) explain.Answer {
	t.Helper()
	listed, answer := p.judge(t, s)
	if listed.State != p.state || answer.State != p.state {
		t.Errorf("the list says %s, Explain %s, want %s: %s %s", listed.State, answer.State, p.state, answer.Summary, codes(answer.Findings))
	}
	for _, fault := range contradictions(answer) {
		t.Error(fault)
	}
	for _, fault := range s.waitsInVain(t, answer) {
		t.Error(fault)
	}
	for _, check := range slices.Concat(p.holds, p.claims) {
		held := slices.ContainsFunc(answer.Checks, func(c statistics.Check) bool { return c.Code == check })
		if want := slices.Contains(p.holds, check); held != want {
			t.Errorf("%s holds: %v, want %v", check, held, want)
		}
	}
	return answer
}

// waitsInVain returns a fault for each shard that is PENDING although a finding of the registry
// holds it up.
func (s site) waitsInVain(t *testing.T, a explain.Answer) (faults []string) {
	t.Helper()
	detail, err := s.reader.Job(t.Context(), "j")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Findings {
		for _, shard := range detail.Shards {
			about := f.Effect == statistics.EffectJob || slices.Contains(f.Items, shard.Item)
			if f.Effect.HoldsUp() && !f.OfHistory() && about && shard.Item < detail.Job.Shards && shard.Status == statistics.ShardPending {
				faults = append(faults, fmt.Sprintf("shard %d is PENDING with %s: %s", shard.Item, f.Code, f.Sentence))
			}
		}
	}
	return faults
}

// harmless are the codes that never hold up a job or a shard.
var harmless = []statistics.Code{
	statistics.CodeConfigForbidden, statistics.CodeConfigOtherRelease, statistics.CodeServerDisabled, statistics.CodeServerAbsent,
	statistics.CodeInstanceUnreadable, statistics.CodeFailing, statistics.CodeUnstable, statistics.CodeNotRecorded, statistics.CodeHistoryAway,
	statistics.CodeRunWaits, statistics.CodeOverrun, statistics.CodeTriggerWaiting, statistics.CodeTriggerOrphaned, statistics.CodeRunning,
	statistics.CodeMisfireWaiting, statistics.CodeItemBeyond, statistics.CodeScheduleNotBegun, statistics.CodeDayExcluded,
	statistics.CodeMonitorOff, statistics.CodeTimeZoneIgnored, statistics.CodeZoneUnknownToJava, statistics.CodeForeignNode,
	statistics.CodeZonesDiffer, statistics.CodeClockDiffers, statistics.CodeDropped, statistics.CodeNumberOutOfBounds, statistics.CodeRunPropertyWrong, statistics.CodeClockChecked, statistics.CodeInstanceLost, statistics.CodeCrashes,
	statistics.CodeOneInstance,
}

// TestEveryObstacleHasARemedy: for each code that can hold up a job, there must be a case where it
// comes first and has a remedy.
func TestEveryObstacleHasARemedy(t *testing.T) {
	t.Parallel()
	remedied := make(map[statistics.Code]bool)
	for _, p := range plantedCauses {
		remedied[p.code] = remedied[p.code] || p.hasRemedy()
	}
	for code := range statistics.CodeOrder {
		if !remedied[code] && !slices.Contains(harmless, code) {
			t.Errorf("no remedy of %s was tried", code)
		}
	}
}

func codes(list []statistics.Finding) (names []string) {
	for _, f := range list {
		names = append(names, fmt.Sprintf("%s %s", f.Code, f.Effect))
	}
	return names
}

// denied are the checks that must not hold in a state.
var denied = map[State]statistics.CheckCode{
	explain.Failing: statistics.CheckLastRun, explain.Down: statistics.CheckInstances, explain.Late: statistics.CheckOnTime,
	explain.Unreadable: statistics.CheckConfig, explain.Resharding: statistics.CheckResharding, explain.Held: statistics.CheckReleased,
	explain.Ended: statistics.CheckNextFire, explain.Blocked: statistics.CheckOnTime, explain.Disabled: statistics.CheckOnTime,
}

// contradictions returns the parts of an answer that contradict each other.
func contradictions(a explain.Answer) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	green := a.State == explain.Healthy
	for _, f := range a.Findings {
		if green && f.Effect.HoldsUp() {
			fault("%s is HEALTHY with %s: %s", a.Summary, f.Code, f.Sentence)
		}
		if f.Sentence == "" || strings.Contains(f.Sentence, "%!") {
			fault("%s says %q", f.Code, f.Sentence)
		}
		if f.Effect.HoldsUp() && (f.Advice == "" || slices.Contains(harmless, f.Code)) {
			fault("%s holds the job up, with the advice %q", f.Code, f.Advice)
		}
	}
	says := func(code statistics.CheckCode) bool {
		return slices.ContainsFunc(a.Checks, func(c statistics.Check) bool { return c.Code == code })
	}
	found := func(list ...statistics.Code) bool {
		return slices.ContainsFunc(a.Findings, func(f statistics.Finding) bool { return slices.Contains(list, f.Code) })
	}
	if check := denied[a.State]; check != "" && says(check) {
		fault("%s is claimed, and the job is %s by %s", check, a.State, codes(a.Findings))
	}
	if found(statistics.CodeNoLeader, statistics.CodeLeaderGone) && a.Part() != explain.None {
		for _, f := range a.Findings {
			if f.Code == statistics.CodeReshardingAnnounced && f.Effect.HoldsUp() && f.Advice != statistics.DealFirst && a.Findings[0].Effect == statistics.EffectJob {
				fault("%s next to %s: %s", f.Code, codes(a.Findings), f.Advice)
			}
		}
	}
	if found(statistics.CodeNotRecorded) && a.Part() == explain.All {
		fault("it's unknown whether the job runs next to %s", codes(a.Findings))
	}
	if strings.HasPrefix(a.Summary, "The job starts no runs") != (a.Part() == explain.All && a.State != explain.Held) {
		fault("%s: %s", a.State, a.Summary)
	}
	for _, check := range a.Checks {
		if found(statistics.Against[check.Code]...) {
			fault("%s holds next to %s", check.Code, codes(a.Findings))
		}
	}
	return faults
}

// TestMixedCauses: with several causes at once, the list and Explain must agree, nothing may
// contradict anything else, and a job must not be healthy if it misses fire times or has a shard
// that doesn't run.
func TestMixedCauses(t *testing.T) {
	t.Parallel()
	server := zktest.Fake(t)
	names := slices.Sorted(maps.Keys(plantedCauses))
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 43))
		var mix planted
		var of []string
		for range 2 + random.IntN(2) {
			name := names[random.IntN(len(names))]
			p := plantedCauses[name]
			of = append(of, name)
			mix.tree += "\n" + p.tree
			mix.without = append(mix.without, p.without...)
			if p.config != "" {
				mix.config = p.config
			}
			if p.runs != nil || p.none || p.away {
				mix.runs, mix.none, mix.away = p.runs, p.none, p.away
			}
			if p.fired != nil {
				mix.fired, mix.ranNothing = p.fired, p.ranNothing
			}
		}
		t.Run(fmt.Sprintf("%d %s", seed, strings.Join(of, " and ")), func(t *testing.T) {
			t.Parallel()
			s := newSite(t, server.Addr)
			mix.plant(t, s)
			listed, answer := mix.judge(t, s)
			if listed.State != answer.State {
				t.Errorf("the list says %s by %v, Explain %s by %v", listed.State, listed.Finding, answer.State, answer.Finding)
			}
			for _, fault := range slices.Concat(contradictions(answer), s.waitsInVain(t, answer)) {
				t.Error(fault)
			}
			if answer.State == explain.Healthy && (mix.away || mix.missed() || mix.silent()) {
				t.Errorf("it is healthy: away %v, missed %v, a silent shard %v: %s", mix.away, mix.missed(), mix.silent(), answer.Summary)
			}
		})
	}
}

// missed reports whether the last hourly fire time has no run.
func (p planted) missed() bool {
	ran := p.runs == nil && !p.none
	for _, row := range p.runs {
		ran = ran || strings.HasPrefix(row, "0 ") && !strings.Contains(row, "manual")
	}
	for _, hours := range p.fired {
		ran = ran || hours >= 0
	}
	return (p.config == "" || p.config == hourly) && !ran && !strings.Contains(p.tree, "runs/done") && !strings.Contains(p.tree, "j/config")
}

// silent reports whether shard 1 took part in no recorded run.
func (p planted) silent() bool {
	return len(p.runs) > 1 && p.fired == nil && !strings.Contains(p.tree, "j/config") &&
		!slices.ContainsFunc(p.runs, func(row string) bool { return !strings.HasSuffix(row, ",-") })
}
