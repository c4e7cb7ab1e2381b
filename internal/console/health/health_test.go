package health_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// owner has the shards of the jobs.
const owner = "10.0.0.1@-@7"

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// exec is an execution that began some time before noon: ok, failed, lost or
// running.
func exec(run string, item, attempt int, ago time.Duration, how string) tracing.Execution {
	e := tracing.Execution{ID: run + string(rune('a'+item)) + string(rune('0'+attempt)), JobName: "j", RunID: run, Item: item, Attempt: attempt, StartTime: noon.Add(-ago), IP: "10.0.0.1", TaskID: jobtree.TaskID("j", []int{item}, owner, "")}
	switch how {
	case "ok":
		e.Success, e.CompleteTime = true, e.StartTime.Add(time.Second)
	case "failed":
		e.FailureCause, e.CompleteTime = "POST https://mail:8443/send: 503 Service Unavailable", e.StartTime.Add(time.Second)
	case "lost":
		e.Lost = true
	}
	return e
}

// java makes the rows those of a Java engine, which names no runs.
func java(rows ...tracing.Execution) []tracing.Execution {
	for i := range rows {
		rows[i].RunID, rows[i].Attempt = "", 0
	}
	return rows
}

func job(change func(*statistics.Job)) statistics.Job {
	j := statistics.Job{
		Name: "j", Cron: "0 0/10 * * * ?", TimeZone: "GMT+0", Shards: 2, Instances: 1, Servers: 1, Status: statistics.StatusOK,
		ReadySince: noon.Add(-24 * time.Hour), Owners: []string{owner}, OwnersSince: []time.Time{noon.AddDate(0, 0, -9)},
	}
	if change != nil {
		change(&j)
	}
	return consoletest.Found(j)
}

type judged struct {
	job     func(*statistics.Job)
	runs    []tracing.Execution
	unknown bool
	at      time.Duration // after noon
	state   explain.State
	reason  string
}

func status(s statistics.Status, reason string) func(*statistics.Job) {
	return func(j *statistics.Job) { j.Status, j.Reason = s, reason }
}

var (
	good = []tracing.Execution{exec("r1", 0, 1, time.Minute, "ok"), exec("r1", 1, 1, time.Minute, "ok")}
	bad  = []tracing.Execution{exec("r1", 0, 1, time.Minute, "ok"), exec("r1", 1, 1, time.Minute, "failed")}
	old  = []tracing.Execution{exec("r1", 0, 1, time.Hour, "ok"), exec("r1", 1, 1, time.Hour, "ok")}
)

// byResult are jobs whose state comes from the registry or from how their last run
// ended.
var byResult = map[string]judged{
	"healthy":             {runs: good, state: explain.Healthy},
	"never ran":           {state: explain.Unknown, reason: "no run on record"},
	"W84 never triggered": {job: func(j *statistics.Job) { j.Cron = "" }, state: explain.Healthy, reason: "no run on record"},
	"W84 requests held":   {job: func(j *statistics.Job) { j.Cron, j.Held.What, j.Held.By = "", "requests", "root" }, state: explain.Healthy, reason: "requests held"},
	"never due":           {job: func(j *statistics.Job) { j.ReadySince = noon.Add(-time.Minute) }, state: explain.Healthy, at: -10 * time.Second, reason: "no run on record"},
	"no history":          {unknown: true, state: explain.Unknown, reason: "history not read"},
	"a shard off":         {job: func(j *statistics.Job) { j.DisabledItems = 1 }, runs: good, state: explain.Partial, reason: "1 shard off"},
	"a server off":        {job: func(j *statistics.Job) { j.Servers, j.DisabledServers = 3, 2 }, runs: good, state: explain.Healthy, reason: "2 servers off"},
	"W24 one instance":    {job: func(j *statistics.Job) { j.OneInstance, j.DisabledServers = true, 1 }, runs: good, state: explain.Healthy, reason: "one instance, no failover"},
	"still reading":       {job: status(statistics.StatusReading, ""), state: explain.Reading, reason: "still being read"},
	"unreadable": {job: func(j *statistics.Job) {
		j.Status, j.ConfigError = statistics.StatusBroken, "line 7: unknown key x of the document"
	}, state: explain.Unreadable, reason: "line 7: unknown key x"},
	"disabled and failing":   {job: status(statistics.StatusDisabled, "no server is enabled"), runs: bad, state: explain.Disabled},
	"down and failing":       {job: status(statistics.StatusCrashed, "no children"), runs: bad, state: explain.Down, reason: "no instance"},
	"failing":                {runs: bad, state: explain.Failing, reason: "1 run · 503 Service Unavailable"},
	"failing and late":       {job: one, runs: []tracing.Execution{exec("r1", 0, 1, time.Hour, "failed")}, state: explain.Failing, reason: "1 run · 503 Service Unavailable"},
	"failing, resharding":    {job: status(statistics.StatusShardingFlag, "x"), runs: bad, state: explain.Failing, reason: "1 run · 503 Service Unavailable"},
	"failing, running":       {job: func(j *statistics.Job) { j.RunningShards = 1 }, runs: append([]tracing.Execution{exec("r2", 0, 1, time.Second, "running")}, bad...), state: explain.Failing, reason: "1 run · 503 Service Unavailable"},
	"failing, no history":    {runs: bad, unknown: true, state: explain.Unknown, reason: "history not read"},
	"lost in the history":    {runs: []tracing.Execution{exec("r1", 0, 1, time.Minute, "lost")}, state: explain.Failing, reason: "1 run · lost"},
	"lost, not begun again":  {job: func(j *statistics.Job) { j.LostShards = 2 }, runs: good, state: explain.Failing, reason: "2 shards lost"},
	"made good by retry":     {job: one, runs: []tracing.Execution{exec("r1", 0, 1, time.Minute, "failed"), exec("r1", 0, 2, 50*time.Second, "ok")}, state: explain.Healthy},
	"made good by failover":  {job: one, runs: []tracing.Execution{exec("r1", 0, 1, time.Minute, "lost"), exec("r1", 0, 2, 50*time.Second, "ok")}, state: explain.Healthy},
	"failed again":           {runs: []tracing.Execution{exec("r1", 0, 1, time.Minute, "ok"), exec("r1", 1, 1, time.Minute, "failed"), exec("r1", 1, 2, 50*time.Second, "failed")}, state: explain.Failing, reason: "1 run · 503 Service Unavailable"},
	"the next run succeeded": {job: one, runs: []tracing.Execution{exec("r1", 0, 1, 11*time.Minute, "failed"), exec("r2", 0, 1, time.Minute, "ok")}, state: explain.Healthy},
	"three in a row":         {runs: []tracing.Execution{exec("r0", 0, 1, 40*time.Minute, "ok"), exec("r1", 0, 1, 21*time.Minute, "failed"), exec("r2", 0, 1, 11*time.Minute, "failed"), exec("r3", 0, 1, time.Minute, "failed")}, state: explain.Failing, reason: "3 runs · 503 Service Unavailable"},
	"java: failover of one of two": {runs: java(exec("", 0, 0, time.Minute, "lost"), exec("", 1, 0, time.Minute, "failed"), exec("", 2, 0, time.Minute, "ok"), exec("", 0, 0, 30*time.Second, "ok")),
		state: explain.Failing, reason: "1 run · 503 Service Unavailable"},
	"java: failover of all":                {runs: java(exec("", 0, 0, time.Minute, "lost"), exec("", 1, 0, time.Minute, "ok"), exec("", 0, 0, 30*time.Second, "ok")), state: explain.Healthy},
	"java: a run without the failed shard": {runs: java(exec("", 0, 0, 11*time.Minute, "failed"), exec("", 1, 0, 11*time.Minute, "ok"), exec("", 1, 0, time.Minute, "ok")), state: explain.Healthy},
}

// byTime are jobs that are late, on the move, or might be taken for it.
var byTime = map[string]judged{
	"late":                      {runs: old, state: explain.Late, reason: "due run not on record"},
	"late, resharding":          {job: status(statistics.StatusShardingFlag, "x"), runs: old, state: explain.Late, reason: "waits for resharding"},
	"within the grace":          {job: one, runs: []tracing.Execution{exec("r1", 0, 1, 10*time.Minute, "ok")}, at: 10 * time.Second, state: explain.Healthy},
	"beyond the grace":          {job: one, runs: []tracing.Execution{exec("r1", 0, 1, 10*time.Minute, "ok")}, at: 11 * time.Second, state: explain.Unknown, reason: "due run not on record"},
	"no row for long":           {job: one, runs: []tracing.Execution{exec("r1", 0, 1, 10*time.Minute, "ok")}, at: 11 * time.Minute, state: explain.Late, reason: "due run not on record"},
	"late but running":          {job: func(j *statistics.Job) { j.RunningShards = 1 }, runs: old, state: explain.Running, reason: "1 of 2 shards running"},
	"enabled just now":          {job: func(j *statistics.Job) { j.ReadySince = noon.Add(-time.Minute) }, runs: old, state: explain.Healthy, at: -10 * time.Second},
	"held, its fire times pass": {job: held("schedule"), runs: old, state: explain.Held, reason: "held"},
	"held, all of it":           {job: held("all"), runs: old, state: explain.Held, reason: "held"},
	"held, but not its fires":   {job: held("requests"), runs: old, state: explain.Late, reason: "due run not on record"},
	"held before it ever ran":   {job: held("schedule"), state: explain.Held, reason: "held"},
	"held while it failed":      {job: held("schedule"), runs: bad, state: explain.Held, reason: "held"},
	"nobody leads":              {job: func(j *statistics.Job) { j.ReadySince = time.Time{} }, runs: old, state: explain.Healthy},
	"every shard off":           {job: func(j *statistics.Job) { j.DisabledItems = 2 }, runs: old, state: explain.Disabled, reason: "2 shards off"},
	"only when triggered":       {job: func(j *statistics.Job) { j.Cron = "" }, runs: old, state: explain.Healthy},
	"resharding":                {job: func(j *statistics.Job) { j.Status, j.UnassignedShards = statistics.StatusShardingFlag, 1 }, runs: good, state: explain.Resharding, reason: "1 shard unassigned"},
	"nothing assigned":          {job: func(j *statistics.Job) { j.Status, j.UnassignedShards = statistics.StatusShardingFlag, 2 }, runs: good, state: explain.Resharding, reason: "nothing assigned yet"},
	"running":                   {runs: append([]tracing.Execution{exec("r2", 0, 1, time.Second, "running")}, good...), state: explain.Running, reason: "1 of 2 shards open"},
	"marked as running":         {job: func(j *statistics.Job) { j.Monitored, j.RunningShards = true, 1 }, runs: append([]tracing.Execution{exec("r2", 0, 1, time.Second, "running")}, good...), state: explain.Running, reason: "1 of 2 shards running"},
	"its end isn't on record":   {job: func(j *statistics.Job) { j.Monitored = true }, runs: append([]tracing.Execution{exec("r2", 0, 1, time.Second, "running")}, good...), at: 20 * time.Second, state: explain.Unknown, reason: "end not on record"},
	"it may overrun":            {job: nil, runs: append([]tracing.Execution{exec("r2", 0, 1, time.Second, "running")}, good...), at: 10*time.Minute + 2*time.Second, state: explain.Unknown, reason: "a run may be on"},
}

// TestW90LateWithLiveOwners: a resharding may wait although each shard has a live owner, so the sentence of a late
// job must not claim that an owner is missing.
func TestW90LateWithLiveOwners(t *testing.T) {
	t.Parallel()
	j := job(func(j *statistics.Job) {
		j.Findings = []statistics.Finding{{Code: statistics.CodeReshardingAnnounced, Effect: statistics.EffectJob}}
	})
	d := explain.DigestOf(health.RunsOf(old), true)
	h := health.Judge(i18n.English, explain.Evidence{Job: &j, Runs: d.Planned(&j), Known: true, Now: noon})
	if h.State != explain.Late || !strings.HasSuffix(h.Sentence, ": the shards must be assigned first.") {
		t.Errorf("%s: %s", h.State, h.Sentence)
	}
}

// one leaves the job a single shard.
func one(j *statistics.Job) { j.Shards = 1 }

func held(what jobrun.Held) func(*statistics.Job) {
	return func(j *statistics.Job) { j.Held = jobrun.Hold{What: what, By: "root", At: noon} }
}

// TestAHeldJobIsNotWaitedFor: a job whose schedule is held is none of those that never ran,
// and is healthy since it was held.
func TestAHeldJobIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for what, never := range map[jobrun.Held]bool{"schedule": false, "all": false, "requests": true} {
		j := job(held(what))
		h := health.Judge(i18n.English, explain.Evidence{Job: &j, Runs: &explain.Digest{}, Known: true, Now: noon.Add(24 * time.Hour)})
		if h.NeverRan != never || h.Since.Equal(noon) == never || !strings.Contains(h.Sentence, "root") {
			t.Errorf("%s: %+v", what, h)
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	all := maps.Clone(byResult)
	maps.Copy(all, byTime)
	for name, test := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := job(test.job)
			d := explain.DigestOf(health.RunsOf(test.runs), true)
			h := health.Judge(i18n.English, explain.Evidence{Job: &j, Runs: d.Planned(&j), Known: !test.unknown, Now: noon.Add(test.at)})
			if h.State != test.state || h.Reason != test.reason {
				t.Errorf("%s %q (%s), want %s %q", h.State, h.Reason, h.Sentence, test.state, test.reason)
			}
			if n := len(strings.Fields(strings.ReplaceAll(h.Reason, "·", ""))); n > 5 {
				t.Errorf("%q has %d words", h.Reason, n)
			}
			if !strings.HasSuffix(h.Sentence, ".") || h.Sentence[0] < 'A' || h.Sentence[0] > 'Z' && h.Sentence[0] < '0' {
				t.Errorf("%q is no sentence", h.Sentence)
			}
		})
	}
}

// TestSentenceOfFailing: the sentence says where the only failed shard ran, in both
// languages; several are named without.
func TestSentenceOfFailing(t *testing.T) {
	t.Parallel()
	one := []tracing.Execution{exec("r", 0, 1, time.Minute, "failed"), exec("r", 1, 1, time.Minute, "ok")}
	two := []tracing.Execution{exec("r", 0, 1, time.Minute, "failed"), exec("r", 1, 1, time.Minute, "failed")}
	for _, test := range []struct {
		runs []tracing.Execution
		l    i18n.Lang
		want string
	}{
		{one, i18n.English, "In the last run on record shard 0 failed on 10.0.0.1: POST https://mail:8443/send: 503 Service Unavailable."},
		{one, i18n.Chinese, "有记录的最近一次运行中分片 0 在 10.0.0.1 上失败：POST https://mail:8443/send: 503 Service Unavailable。"},
		{two, i18n.English, "In the last run on record shards 0, 1 failed: POST https://mail:8443/send: 503 Service Unavailable."},
	} {
		j := job(nil)
		d := explain.DigestOf(health.RunsOf(test.runs), true)
		if h := health.Judge(test.l, explain.Evidence{Job: &j, Runs: d.Planned(&j), Known: true, Now: noon}); h.Sentence != test.want {
			t.Errorf("%s\nwant %s", h.Sentence, test.want)
		}
	}
}

// TestW85LateWithoutAZone: a job without a zone is judged by this process's if
// its last run began at a fire time by that, and else is late if it is in every zone.
func TestW85LateWithoutAZone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cron  string
		began time.Duration
		late  bool
	}{
		"at a fire time": {"0 0/10 * * * ?", time.Hour, true}, "late in every zone": {"0 0/10 * * * ?", 57 * time.Minute, true},
		"late in some zones": {"0 0 9 * * ?", 20 * time.Hour, false}, "a day late": {"0 0 9 * * ?", 50 * time.Hour, true},
	} {
		j := job(func(j *statistics.Job) { j.TimeZone, j.Cron, j.ReadySince = "", test.cron, noon.AddDate(0, 0, -9) })
		d := explain.DigestOf(health.RunsOf([]tracing.Execution{exec("r", 0, 1, test.began, "ok")}), true)
		if h := health.Judge(i18n.English, explain.Evidence{Job: &j, Runs: d.Planned(&j), Known: true, Now: noon}); (h.State == explain.Late) != test.late {
			t.Errorf("%s: %s", name, h.State)
		}
	}
}
