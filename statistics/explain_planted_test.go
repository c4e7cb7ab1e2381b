package statistics_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Ids of the two instances of a job, one on each of two servers. The first leads and owns
// shard 1, the second owns shard 0.
const (
	leaderID = "10.0.0.1@-@7"
	secondID = "10.0.0.2@-@8"
)

// hourly fires at each full hour.
const hourly = `cron: 0 0 * * * ?\ntimeZone: GMT+0\n`

// documentOf is the configuration of a job of two shards.
func documentOf(more string) string {
	return `j/config = "jobName: j\nshardingTotalCount: 2\nmisfire: true\nmonitorExecution: true\nfailover: true\n` + more + `"`
}

// servedJob is a job without a finding.
func servedJob(config string) string {
	return documentOf(config) + `
		j/servers/10.0.0.1 = ENABLED
		j/servers/10.0.0.2 = ENABLED
		j/instances/10.0.0.1@-@7 [E] = "jobInstanceId: 10.0.0.1@-@7\nserverIp: 10.0.0.1\n"
		j/instances/10.0.0.2@-@8 [E] = "jobInstanceId: 10.0.0.2@-@8\nserverIp: 10.0.0.2\n"
		j/extension/agents/10.0.0.1@-@7 [E] = go
		j/extension/agents/10.0.0.2@-@8 [E] = go
		j/leader/election/instance [E] = 10.0.0.1@-@7
		j/sharding/0/instance = 10.0.0.2@-@8
		j/sharding/1/instance = 10.0.0.1@-@7
	`
}

var (
	agents    = []string{"j/extension/agents/" + leaderID, "j/extension/agents/" + secondID}
	instances = []string{"j/instances/" + leaderID, "j/instances/" + secondID, "j/leader/election/instance"}
)

// planted is one cause, and the judgement that it must lead to.
type planted struct {
	config  string   // in place of hourly
	tree    string   // planted after the one of servedJob
	without []string // nodes taken away from it
	// runs make the history of runs: each is the hours since it, from now on, and how its
	// shards ended: "-2 ok,ok". Without any there is the run of each of the last three hours.
	runs []string
	// away: the history can't be read; none: it has no run of the job.
	away, none bool
	// fired are the newest fire times that shards have completed, in hours from now.
	fired []int

	state State
	code  statistics.Code // the first finding; "" for none that decides
	// The answer must contain the checks in holds, and must not contain those in claims.
	holds, claims []statistics.CheckCode
}

// State is explain.State, for short.
type State = explain.State

// now is when every job is judged: some minutes after a fire time.
func nowOf() time.Time {
	return time.Now().UTC().Truncate(time.Hour).Add(24*time.Hour + 10*time.Minute)
}

// runAt makes a run from a row.
func runAt(row string, now time.Time) explain.Run {
	var hours int
	var ends string
	if _, err := fmt.Sscanf(row, "%d %s", &hours, &ends); err != nil {
		panic(err)
	}
	at := now.Truncate(time.Hour).Add(time.Duration(hours) * time.Hour)
	r := explain.Run{ScheduledAt: at, Start: at.Add(time.Millisecond), End: at.Add(time.Second), Trigger: tracing.TriggerSchedule}
	for item, end := range strings.Split(ends, ",") {
		switch end {
		case "ok":
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Succeeded, IP: "10.0.0.1"})
		case "failed":
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Failed, IP: "10.0.0.1"})
			r.Cause, r.CauseItem = "disk is full", item
		case "lost":
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Lost, IP: "10.0.0.1"})
		case "on":
			r.Shards, r.End = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Goes, IP: "10.0.0.1"}), time.Time{}
		case "-": // It took no part.
		case "manual":
			r.ScheduledAt, r.Trigger, r.Start = time.Time{}, tracing.TriggerManual, at.Add(-7*time.Minute)
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Succeeded, IP: "10.0.0.1"})
		case "java":
			r.ScheduledAt, r.Trigger, r.Together = time.Time{}, "", true
			r.Shards = append(r.Shards, explain.ShardRun{Item: item, Outcome: explain.Succeeded, IP: "10.0.0.1"})
		default:
			panic(row)
		}
	}
	return r
}

// digest is the history of a planted job.
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
		}
		with = with.With(&fired)
	}
	return with.Planned(j)
}

// judge plants a job and judges it as the list does, and as Explain does.
func (p planted) judge(t *testing.T, addr string) (explain.Judgement, explain.Answer) {
	t.Helper()
	b := treetest.New(t, addr)
	config := p.config
	if config == "" {
		config = hourly
	}
	b.Plant(t, servedJob(config)+p.tree)
	for _, node := range p.without {
		err := b.Client.Delete(t.Context(), b.NS.Root()+"/"+node, zk.AnyVersion)
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			t.Fatal(node, err)
		}
	}
	reader, now := statistics.NewReader(b.Registry()), nowOf()
	reader.SetClock(func() time.Time { return now })
	list, err := reader.Jobs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	why, err := reader.Explain(t.Context(), "j")
	if err != nil {
		t.Fatal(err)
	}
	row := statistics.Job{Name: "j", Status: statistics.StatusBroken, Findings: why.Findings}
	if len(list) > 0 {
		row = list[0]
	}
	e := explain.Evidence{Job: &row, Runs: p.digest(now, &row), Known: !p.away, Now: now}
	listed := explain.Judge(e)
	row.Findings = why.Findings
	return listed, explain.Explain(why, e)
}

func TestPlantedCauses(t *testing.T) {
	t.Parallel()
	server := zktest.Fake(t)
	for name, p := range plantedCauses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listed, answer := p.judge(t, server.Addr)
			if listed.State != p.state || answer.State != p.state {
				t.Errorf("the list says %s, Explain %s, want %s: %s", listed.State, answer.State, p.state, answer.Summary)
			}
			if p.code != "" && (len(answer.Findings) == 0 || answer.Findings[0].Code != p.code) {
				t.Errorf("the first finding isn't %s: %s", p.code, codes(answer.Findings))
			}
			if p.code == "" && answer.Finding != nil {
				t.Errorf("%s decides", answer.Finding.Code)
			}
			oneVoice(t, answer)
			for _, check := range p.holds {
				if !slices.ContainsFunc(answer.Checks, func(c statistics.Check) bool { return c.Code == check }) {
					t.Errorf("%s doesn't hold", check)
				}
			}
			for _, check := range p.claims {
				if slices.ContainsFunc(answer.Checks, func(c statistics.Check) bool { return c.Code == check }) {
					t.Errorf("%s is claimed", check)
				}
			}
		})
	}
}

func codes(list []statistics.Finding) (names []string) {
	for _, f := range list {
		names = append(names, fmt.Sprintf("%s %s", f.Code, f.Effect))
	}
	return names
}

// oneVoice checks that the parts of an answer don't contradict each other.
func oneVoice(t *testing.T, a explain.Answer) {
	t.Helper()
	green := a.State == explain.Healthy
	for _, f := range a.Findings {
		if green && f.Effect.HoldsUp() {
			t.Errorf("%s is HEALTHY with %s: %s", a.Summary, f.Code, f.Sentence)
		}
		if f.Sentence == "" || strings.Contains(f.Sentence, "%!") {
			t.Errorf("%s says %q", f.Code, f.Sentence)
		}
		if f.Effect.HoldsUp() && f.Advice == "" {
			t.Errorf("%s has no remedy", f.Code)
		}
	}
	says := func(code statistics.CheckCode) bool {
		return slices.ContainsFunc(a.Checks, func(c statistics.Check) bool { return c.Code == code })
	}
	found := func(list ...statistics.Code) bool {
		return slices.ContainsFunc(a.Findings, func(f statistics.Finding) bool { return slices.Contains(list, f.Code) })
	}
	if says(statistics.CheckOnTime) && found(statistics.CodeLate, statistics.CodeShardsMissed, statistics.CodeNotRecorded) {
		t.Errorf("ON_TIME is claimed next to %s", codes(a.Findings))
	}
	if says(statistics.CheckLastRun) && found(statistics.CodeFailing, statistics.CodeHistoryAway) {
		t.Errorf("LAST_RUN_SUCCEEDED is claimed next to %s", codes(a.Findings))
	}
	if strings.HasPrefix(a.Summary, "The job does not run") != (a.Part() == explain.All) {
		t.Errorf("%s: %s", a.State, a.Summary)
	}
}

// TestMixedCauses: several causes at once. The list and Explain agree, nothing contradicts
// anything else, and a job that misses fire times, or has a shard that doesn't run, isn't
// healthy.
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
				mix.fired = p.fired
			}
		}
		t.Run(fmt.Sprintf("%d %s", seed, strings.Join(of, " and ")), func(t *testing.T) {
			t.Parallel()
			listed, answer := mix.judge(t, server.Addr)
			if listed.State != answer.State {
				t.Errorf("the list says %s by %v, Explain %s by %v", listed.State, listed.Finding, answer.State, answer.Finding)
			}
			oneVoice(t, answer)
			if answer.State == explain.Healthy && (mix.away || mix.missed() || mix.silent()) {
				t.Errorf("it is healthy: away %v, missed %v, a silent shard %v: %s", mix.away, mix.missed(), mix.silent(), answer.Summary)
			}
		})
	}
}

// missed reports whether the last fire time of the hourly schedule has no run.
func (p planted) missed() bool {
	ran := p.runs == nil && !p.none
	for _, row := range p.runs {
		ran = ran || strings.HasPrefix(row, "0 ") && !strings.Contains(row, "manual")
	}
	for _, hours := range p.fired {
		ran = ran || hours >= 0
	}
	return (p.config == "" || p.config == hourly) && !ran && !strings.Contains(p.tree, "j/config")
}

// silent reports whether shard 1 took no part in any run on record.
func (p planted) silent() bool {
	return len(p.runs) > 1 && p.fired == nil && !strings.Contains(p.tree, "j/config") &&
		!slices.ContainsFunc(p.runs, func(row string) bool { return !strings.HasSuffix(row, ",-") })
}
