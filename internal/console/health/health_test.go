package health_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// exec is an execution that began some time before noon: ok, failed, lost or
// running.
func exec(run string, item, attempt int, ago time.Duration, how string) tracing.Execution {
	e := tracing.Execution{ID: run + string(rune('a'+item)) + string(rune('0'+attempt)), JobName: "j", RunID: run, Item: item, Attempt: attempt, StartTime: noon.Add(-ago), IP: "10.0.0.1"}
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
		ReadySince: noon.Add(-24 * time.Hour),
	}
	if change != nil {
		change(&j)
	}
	return j
}

type judged struct {
	job     func(*statistics.Job)
	runs    []tracing.Execution
	unknown bool
	at      time.Duration // after noon
	state   health.State
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
	"healthy":       {runs: good, state: health.Healthy},
	"never ran":     {state: health.Healthy, reason: "never ran"},
	"no history":    {unknown: true, state: health.Healthy},
	"a shard off":   {job: func(j *statistics.Job) { j.DisabledItems = 1 }, runs: good, state: health.Healthy, reason: "1 shard off"},
	"a server off":  {job: func(j *statistics.Job) { j.Servers, j.DisabledServers = 3, 2 }, runs: good, state: health.Healthy, reason: "2 servers off"},
	"still reading": {job: status(statistics.StatusReading, ""), state: health.Reading, reason: "still being read"},
	"unreadable": {job: func(j *statistics.Job) {
		j.Status, j.ConfigError = statistics.StatusBroken, "line 7: unknown key x of the document"
	}, state: health.Unreadable, reason: "line 7: unknown key x"},
	"disabled and failing":   {job: status(statistics.StatusDisabled, "no server is enabled"), runs: bad, state: health.Disabled},
	"down and failing":       {job: status(statistics.StatusCrashed, "no children"), runs: bad, state: health.Down, reason: "no instance"},
	"failing":                {runs: bad, state: health.Failing, reason: "1 run · 503 Service Unavailable"},
	"failing and late":       {runs: []tracing.Execution{exec("r1", 0, 1, time.Hour, "failed")}, state: health.Failing, reason: "1 run · 503 Service Unavailable"},
	"failing, resharding":    {job: status(statistics.StatusShardingFlag, "x"), runs: bad, state: health.Failing, reason: "1 run · 503 Service Unavailable"},
	"failing, running":       {job: func(j *statistics.Job) { j.RunningShards = 1 }, runs: append([]tracing.Execution{exec("r2", 0, 1, time.Second, "running")}, bad...), state: health.Failing, reason: "1 run · 503 Service Unavailable"},
	"failing, no history":    {runs: bad, unknown: true, state: health.Healthy},
	"lost in the history":    {runs: []tracing.Execution{exec("r1", 0, 1, time.Minute, "lost")}, state: health.Failing, reason: "1 run · lost"},
	"lost, not begun again":  {job: func(j *statistics.Job) { j.LostShards = 2 }, runs: good, state: health.Failing, reason: "2 shards lost"},
	"made good by retry":     {runs: []tracing.Execution{exec("r1", 0, 1, time.Minute, "failed"), exec("r1", 0, 2, 50*time.Second, "ok")}, state: health.Healthy},
	"made good by failover":  {runs: []tracing.Execution{exec("r1", 0, 1, time.Minute, "lost"), exec("r1", 0, 2, 50*time.Second, "ok")}, state: health.Healthy},
	"failed again":           {runs: []tracing.Execution{exec("r1", 0, 1, time.Minute, "ok"), exec("r1", 1, 1, time.Minute, "failed"), exec("r1", 1, 2, 50*time.Second, "failed")}, state: health.Failing, reason: "1 run · 503 Service Unavailable"},
	"the next run succeeded": {runs: []tracing.Execution{exec("r1", 0, 1, 11*time.Minute, "failed"), exec("r2", 0, 1, time.Minute, "ok")}, state: health.Healthy},
	"three in a row":         {runs: []tracing.Execution{exec("r0", 0, 1, 40*time.Minute, "ok"), exec("r1", 0, 1, 21*time.Minute, "failed"), exec("r2", 0, 1, 11*time.Minute, "failed"), exec("r3", 0, 1, time.Minute, "failed")}, state: health.Failing, reason: "3 runs · 503 Service Unavailable"},
	"java: failover of one of two": {runs: java(exec("", 0, 0, time.Minute, "lost"), exec("", 1, 0, time.Minute, "failed"), exec("", 2, 0, time.Minute, "ok"), exec("", 0, 0, 30*time.Second, "ok")),
		state: health.Failing, reason: "1 run · 503 Service Unavailable"},
	"java: failover of all":                {runs: java(exec("", 0, 0, time.Minute, "lost"), exec("", 1, 0, time.Minute, "ok"), exec("", 0, 0, 30*time.Second, "ok")), state: health.Healthy},
	"java: a run without the failed shard": {runs: java(exec("", 0, 0, 11*time.Minute, "failed"), exec("", 1, 0, 11*time.Minute, "ok"), exec("", 1, 0, time.Minute, "ok")), state: health.Healthy},
}

// byTime are jobs that are late, on the move, or might be taken for it.
var byTime = map[string]judged{
	"late":                      {runs: old, state: health.Late, reason: "no run started"},
	"late, resharding":          {job: status(statistics.StatusShardingFlag, "x"), runs: old, state: health.Late, reason: "waits for resharding"},
	"within the grace":          {runs: []tracing.Execution{exec("r1", 0, 1, 10*time.Minute, "ok")}, at: 30 * time.Second, state: health.Healthy},
	"beyond the grace":          {runs: []tracing.Execution{exec("r1", 0, 1, 10*time.Minute, "ok")}, at: 31 * time.Second, state: health.Late, reason: "no run started"},
	"late but running":          {job: func(j *statistics.Job) { j.RunningShards = 1 }, runs: old, state: health.Running, reason: "1 of 2 shards left"},
	"enabled just now":          {job: func(j *statistics.Job) { j.ReadySince = noon.Add(-time.Minute) }, runs: old, state: health.Healthy, at: -10 * time.Second},
	"held, its fire times pass": {job: held("schedule"), runs: old, state: health.Healthy, reason: "held"},
	"held, all of it":           {job: held("all"), runs: old, state: health.Healthy, reason: "held"},
	"held, but not its fires":   {job: held("requests"), runs: old, state: health.Late, reason: "no run started"},
	"held before it ever ran":   {job: held("schedule"), state: health.Healthy, reason: "held"},
	"held while it failed":      {job: held("schedule"), runs: bad, state: health.Failing, reason: "1 run · 503 Service Unavailable"},
	"nobody leads":              {job: func(j *statistics.Job) { j.ReadySince = time.Time{} }, runs: old, state: health.Healthy},
	"every shard off":           {job: func(j *statistics.Job) { j.DisabledItems = 2 }, runs: old, state: health.Healthy, reason: "2 shards off"},
	"only when triggered":       {job: func(j *statistics.Job) { j.Cron = "" }, runs: old, state: health.Healthy},
	"cron unreadable":           {job: func(j *statistics.Job) { j.Cron = "x" }, runs: old, state: health.Healthy},
	"resharding":                {job: func(j *statistics.Job) { j.Status, j.UnassignedShards = statistics.StatusShardingFlag, 1 }, runs: good, state: health.Resharding, reason: "1 shard unassigned"},
	"nothing assigned":          {job: func(j *statistics.Job) { j.Status, j.UnassignedShards = statistics.StatusShardingFlag, 2 }, runs: good, state: health.Resharding, reason: "nothing assigned yet"},
	"running":                   {runs: append([]tracing.Execution{exec("r2", 0, 1, time.Second, "running")}, good...), state: health.Running, reason: "1 of 2 shards left"},
}

func held(what string) func(*statistics.Job) {
	return func(j *statistics.Job) { j.Held = jobrun.Hold{What: what, By: "root", At: noon} }
}

// TestAHeldJobIsNotWaitedFor: a job whose schedule is held is none of those that never ran,
// and is healthy since it was held.
func TestAHeldJobIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for what, never := range map[string]bool{"schedule": false, "all": false, "requests": true} {
		j := job(held(what))
		h := health.Judge(i18n.English, &j, &health.Digest{}, true, noon.Add(24*time.Hour))
		if h.NeverRan != never || h.Since.Equal(noon) == never || strings.Contains(h.Sentence, "root") == never {
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
			d := health.DigestOf(test.runs, true)
			h := health.Judge(i18n.English, &j, d.Planned(&j), !test.unknown, noon.Add(test.at))
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

// TestEveryStateHasItsPlace: the order of lists knows all states.
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
		{one, i18n.English, "In the last run shard 0 failed on 10.0.0.1: POST https://mail:8443/send: 503 Service Unavailable."},
		{one, i18n.Chinese, "最近一次运行中分片 0 在 10.0.0.1 上失败：POST https://mail:8443/send: 503 Service Unavailable。"},
		{two, i18n.English, "In the last run shards 0, 1 failed: POST https://mail:8443/send: 503 Service Unavailable."},
	} {
		j := job(nil)
		d := health.DigestOf(test.runs, true)
		if h := health.Judge(test.l, &j, d.Planned(&j), true, noon); h.Sentence != test.want {
			t.Errorf("%s\nwant %s", h.Sentence, test.want)
		}
	}
}

func TestEveryStateHasItsPlace(t *testing.T) {
	t.Parallel()
	for i, s := range health.States {
		if s.Rank() != i {
			t.Errorf("%s is at %d, want %d", s, s.Rank(), i)
		}
	}
	if !slices.Contains(health.States, health.Unreadable) || len(health.States) != 9 {
		t.Errorf("states %v", health.States)
	}
}

// TestLateWithoutAZone: a job without a zone is judged by this process's only if
// its last run began at a fire time by that.
func TestLateWithoutAZone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		began time.Duration
		late  bool
	}{"at a fire time": {time.Hour, true}, "at another time": {57 * time.Minute, false}} {
		j := job(func(j *statistics.Job) { j.TimeZone = "" })
		d := health.DigestOf([]tracing.Execution{exec("r", 0, 1, test.began, "ok")}, true)
		if h := health.Judge(i18n.English, &j, d.Planned(&j), true, noon); (h.State == health.Late) != test.late {
			t.Errorf("%s: %s", name, h.State)
		}
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	for _, alike := range [][]string{
		{"dial tcp 10.0.9.14:3306: connect: connection refused", "dial tcp 10.0.9.15:13306: connect: connection refused"},
		{`job "invoices" of run 17: no space`, `job "ledger" of run 9: no space`},
		{"request 3f2504e0-4f89-11d3-9a0c-0305e82c3301 failed", "request 1b4e28ba-2fa1-11d2-883f-0016d3cca427 failed\n\tat x.y(Z.java:71)"},
		{"Boom", "boom "},
	} {
		if a, b := health.Fingerprint(alike[0], false), health.Fingerprint(alike[1], false); a != b {
			t.Errorf("%q and %q differ: %q, %q", alike[0], alike[1], health.Normal(alike[0]), health.Normal(alike[1]))
		}
	}
	if health.Fingerprint("connection refused", false) == health.Fingerprint("connection reset", false) {
		t.Error("two failures are one cause")
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mail answered 421: too many connections, try later":          "too many connections",
		"POST https://mail.internal/v2/send: 503 Service Unavailable": "503 Service Unavailable",
		"exit status 3: No space left on device":                      "No space left",
		"java.lang.IllegalStateException: boom":                       "boom",
		"boom: ":                                                      "boom", "": "",
	} {
		if got := health.Short(text); got != want {
			t.Errorf("Short(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCauses(t *testing.T) {
	t.Parallel()
	fail := func(cause string, ago time.Duration) health.Health {
		return health.Health{State: health.Failing, Cause: cause, Fingerprint: health.Fingerprint(cause, false), Since: noon.Add(-ago)}
	}
	got := health.Causes([]string{"d", "c", "b", "a"}, []health.Health{
		fail("no space on disk 7", time.Minute), fail("refused by 10.0.0.1:80", time.Minute), {State: health.Healthy}, fail("refused by 10.0.0.2:80", time.Hour),
	})
	if len(got) != 2 || !slices.Equal(got[0].Jobs, []string{"a", "c"}) || !got[0].Since.Equal(noon.Add(-time.Hour)) ||
		got[0].Text != "refused by 10.0.0.2:80" || !slices.Equal(got[1].Jobs, []string{"d"}) {
		t.Errorf("causes %+v", got)
	}
}
