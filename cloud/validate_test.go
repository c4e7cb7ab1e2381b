package cloud

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

func fieldsOf(t *testing.T, err error) []string {
	t.Helper()
	var fields []string
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		t.Fatalf("%v is not a list", err)
	}
	for _, e := range joined.Unwrap() {
		var field *jobconfig.FieldError
		if !errors.As(e, &field) {
			t.Fatalf("%v names no field", e)
		}
		if field.Want == "" {
			t.Errorf("%v does not name the allowed values", e)
		}
		fields = append(fields, field.Field)
	}
	return fields
}

// TestJobValidate: each wrong value should be refused with its field, at both limits.
func TestJobValidate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Job)
		field  string // the refused field, empty for none
	}{
		"as made":                  {func(*Job) {}, ""},
		"no name":                  {func(j *Job) { j.Name = "" }, "jobName"},
		"long name":                {func(j *Job) { j.Name = strings.Repeat("a", 101) }, "jobName"},
		"slash":                    {func(j *Job) { j.Name = "a/b" }, "jobName"},
		"separator of ids":         {func(j *Job) { j.Name = "a@-@b" }, "jobName"},
		"no application":           {func(j *Job) { j.AppName = "" }, "appName"},
		"type":                     {func(j *Job) { j.Type = "ONCE" }, "jobExecutionType"},
		"daemon without cron":      {func(j *Job) { j.Type, j.Cron = TypeDaemon, "" }, "cron"},
		"transient without cron":   {func(j *Job) { j.Cron = "" }, ""},
		"cron":                     {func(j *Job) { j.Cron = "* * *" }, "cron"},
		"long cron":                {func(j *Job) { j.Cron = strings.Repeat(" ", 1001) }, "cron"},
		"zone":                     {func(j *Job) { j.TimeZone = "Mars/Olympus" }, "timeZone"},
		"zone of the host":         {func(j *Job) { j.TimeZone = "Local" }, "timeZone"},
		"zone by name":             {func(j *Job) { j.TimeZone = "Asia/Shanghai" }, ""},
		"W11 zone by property":     {func(j *Job) { j.Props["schedule.zone"] = "Asia/Shanghai" }, "props.schedule.zone"},
		"zone by offset":           {func(j *Job) { j.TimeZone = "GMT+08:00" }, ""},
		"offset that is none":      {func(j *Job) { j.TimeZone = "GMT+25" }, "timeZone"},
		"start":                    {func(j *Job) { j.StartTime = "tomorrow" }, "startTime"},
		"end":                      {func(j *Job) { j.EndTime = "2026-13-01T00:00:00Z" }, "endTime"},
		"end twice":                {func(j *Job) { j.EndTime, j.Props["schedule.until"] = "2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z" }, "endTime"},
		"clock change":             {func(j *Job) { j.ClockChange = "never" }, "clockChange"},
		"jitter beyond the gap":    {func(j *Job) { j.Props["schedule.jitter"] = "10m" }, "props.schedule.jitter"},
		"no shard":                 {func(j *Job) { j.Shards = 0 }, "shardingTotalCount"},
		"100,000 shards":           {func(j *Job) { j.Shards = MaxShards }, ""},
		"CL42: a shard too many":   {func(j *Job) { j.Shards = MaxShards + 1 }, "shardingTotalCount"},
		"shard parameters":         {func(j *Job) { j.ShardParameters = "0:a" }, "shardingItemParameters"},
		"no CPU":                   {func(j *Job) { j.CPU = 0 }, "cpuCount"},
		"least CPU":                {func(j *Job) { j.CPU = 0.001 }, ""},
		"not a number":             {func(j *Job) { j.MemoryMB = math.NaN() }, "memoryMB"},
		"infinite":                 {func(j *Job) { j.CPU = math.Inf(1) }, "cpuCount"},
		"no memory":                {func(j *Job) { j.MemoryMB = 0.5 }, "memoryMB"},
		"too many bytes":           {func(j *Job) { j.Parameter = strings.Repeat("a", MaxText+1) }, "props"},
		"zero byte":                {func(j *Job) { j.Parameter = "a\x00b" }, "jobParameter"},
		"overlap":                  {func(j *Job) { j.Props[PropOverlap] = "perhaps" }, "props.cloud.overlap"},
		"pending":                  {func(j *Job) { j.Props[PropPendingMax] = "1001" }, "props.cloud.pending.max"},
		"pending is no number":     {func(j *Job) { j.Props[PropPendingMax] = "many" }, "props.cloud.pending.max"},
		"failover":                 {func(j *Job) { j.Props[PropFailoverMax] = "-1" }, "props.cloud.failover.max"},
		"exit codes":               {func(j *Job) { j.Props[PropFailoverNever] = "64,300" }, "props.cloud.failover.never"},
		"timeout":                  {func(j *Job) { j.Props[PropTimeout] = "soon" }, "props.cloud.timeout"},
		"short timeout":            {func(j *Job) { j.Props[PropTimeout] = "10ms" }, "props.cloud.timeout"},
		"start deadline":           {func(j *Job) { j.Props[PropStartDeadline] = "1000h" }, "props.cloud.start.deadline"},
		"no ready port":            {func(j *Job) { j.Props[PropReadyPort] = "0" }, "props.cloud.ready.port"},
		"ready port":               {func(j *Job) { j.Props[PropReadyPort] = "65536" }, "props.cloud.ready.port"},
		"an unknown property":      {func(j *Job) { j.Props["mine"] = "7" }, ""},
		"reconcile":                {func(j *Job) { j.ReconcileMinutes = -2 }, "reconcileIntervalMinutes"},
		"clock difference":         {func(j *Job) { j.MaxTimeDiff = -2 }, "maxTimeDiffSeconds"},
		"properties without bound": {func(j *Job) { j.Props["mine"] = strings.Repeat("a", MaxText) }, "props"},
	} {
		refuses(t, name, c.change, c.field)
	}
}

// refuses checks that a changed job is refused for one field, or for none.
func refuses(t *testing.T, name string, change func(*Job), field string) {
	t.Helper()
	j := NewJob("settlement", "shop", 3)
	j.Cron, j.Props = "0 * * * * ?", map[string]string{}
	change(&j)
	fields := fieldsOf(t, j.Validate())
	if field == "" && len(fields) > 0 || field != "" && (len(fields) != 1 || fields[0] != field) {
		t.Errorf("%s: refused are %v, want %q", name, fields, field)
	}
}

// TestValidateSharedShards: settings that ElasticJob-Lite doesn't know are refused.
func TestValidateSharedShards(t *testing.T) {
	t.Parallel()
	share := func(j *Job) { j.Type, j.Props[PropDaemon] = TypeDaemon, DaemonRegistry }
	for name, c := range map[string]struct {
		change func(*Job)
		field  string
	}{
		"shared shards":          {share, ""},
		"some processes":         {func(j *Job) { share(j); j.Shards, j.Props[PropProcesses] = 5000, "1000" }, ""},
		"a process per shard":    {func(j *Job) { share(j); j.Shards = 1001 }, "props.cloud.processes"},
		"no process":             {func(j *Job) { share(j); j.Props[PropProcesses] = "0" }, "props.cloud.processes"},
		"processes of their own": {func(j *Job) { j.Props[PropProcesses] = "2" }, "props.cloud.processes"},
		"shared for a run":       {func(j *Job) { share(j); j.Type = TypeTransient }, "props.cloud.daemon"},
		"shared in another way":  {func(j *Job) { share(j); j.Props[PropDaemon] = "etcd" }, "props.cloud.daemon"},
		"shared by a named zone": {func(j *Job) { share(j); j.TimeZone = "Europe/Berlin" }, "timeZone"},
		"W11 zone by property":   {func(j *Job) { share(j); j.Props["schedule.zone"] = "Europe/Berlin" }, ""},
		"W11 unknown zone":       {func(j *Job) { share(j); j.Props["schedule.zone"] = "Mars" }, "props.schedule.zone"},
		"W11 two zones":          {func(j *Job) { share(j); j.TimeZone, j.Props["schedule.zone"] = "GMT+8", "Asia/Shanghai" }, "props.schedule.zone"},
		"shared by a webhook":    {func(j *Job) { share(j); j.ErrorHandlerType = "WEBHOOK" }, "jobErrorHandlerType"},
		"failover unseen":        {func(j *Job) { share(j); j.Failover, j.MonitorExecution = true, false }, "failover"},
	} {
		refuses(t, name, c.change, c.field)
	}
}

// TestProcesses: a DAEMON job has a process per shard. Processes that share the shards may be
// fewer, and their Lite configuration doesn't contain the number.
func TestProcesses(t *testing.T) {
	t.Parallel()
	j := NewJob("feed", "shop", 3)
	j.Type, j.Cron, j.StartTime, j.ClockChange = TypeDaemon, "0 * * * * ?", "2026-11-22T00:00:00Z", "once"
	j.Props = map[string]string{PropDaemon: DaemonRegistry, PropProcesses: "2", "mine": "7"}
	if n := j.Processes(); n != 2 || !j.Registry() {
		t.Errorf("%d processes that share", n)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	_, err = j.LiteConfiguration(berlin)
	if wrong, is := errors.AsType[*jobconfig.FieldError](err); !is || wrong.Field != "timeZone" {
		t.Error(err)
	}
	j.Props["schedule.zone"] = "Asia/Shanghai"
	c, err := j.LiteConfiguration(berlin)
	if err != nil || c.TimeZone != "" || c.Props["schedule.zone"] != "Asia/Shanghai" {
		t.Errorf("W11: they serve %+v, %v", c, err)
	}
	delete(j.Props, "schedule.zone")
	c, err = j.LiteConfiguration(time.FixedZone("GMT+08:00", 8*60*60))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"mine": "7", "schedule.from": "2026-11-22T00:00:00Z", "cron.clock.change": "once"}
	if c.TimeZone != "GMT+08:00" || !c.Overwrite || c.Shards != 3 || !maps.Equal(c.Props, want) {
		t.Errorf("they serve %+v", c)
	}
	if j.ErrorHandlerType = "EMAIL"; j.Notifies() {
		t.Error("the scheduler notifies of runs that the processes have")
	}
	delete(j.Props, PropDaemon)
	if n := j.Processes(); n != 3 || j.Registry() {
		t.Errorf("%d processes of a shard each", n)
	}
}

func TestAppValidate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*App)
		field  string
	}{
		"as made":             {func(*App) {}, ""},
		"no name":             {func(a *App) { a.Name = "" }, "appName"},
		"CPU":                 {func(a *App) { a.CPU = MaxCPU + 1 }, "cpuCount"},
		"memory":              {func(a *App) { a.MemoryMB = -1 }, "memoryMB"},
		"sampling":            {func(a *App) { a.EventSampling = -1 }, "eventTraceSamplingCount"},
		"grace":               {func(a *App) { a.GraceSeconds = 1 << 30 }, "terminationGracePeriodSeconds"},
		"no sum":              {func(a *App) { a.URL = "https://repo.example/shop.tar.gz" }, "appSHA256"},
		"a sum":               {func(a *App) { a.URL, a.SHA256 = "https://repo.example/a.zip", strings.Repeat("0", 64) }, ""},
		"short sum":           {func(a *App) { a.SHA256 = "abc" }, "appSHA256"},
		"password":            {func(a *App) { a.URL, a.SHA256 = "https://a:b@repo.example/a.zip", strings.Repeat("0", 64) }, "appURL"},
		"address":             {func(a *App) { a.URL = "https://%zz" }, "appURL"},
		"image":               {func(a *App) { a.Image = "shop latest" }, "image"},
		"no program":          {func(a *App) { a.Command = []string{"", "x"} }, "command"},
		"words":               {func(a *App) { a.Args = make([]string, 1001) }, "command"},
		"our variable":        {func(a *App) { a.Env = map[string]string{"ELASTICJOB_ITEM": "1"} }, "env"},
		"no variable":         {func(a *App) { a.Env = map[string]string{"a=b": "1"} }, "env"},
		"a large environment": {func(a *App) { a.Env = map[string]string{"A": strings.Repeat("a", MaxText)} }, "env"},
	} {
		a := NewApp("shop")
		c.change(&a)
		fields := fieldsOf(t, a.Validate())
		if c.field == "" && len(fields) > 0 || c.field != "" && (len(fields) != 1 || fields[0] != c.field) {
			t.Errorf("%s: refused are %v, want %q", name, fields, c.field)
		}
		if err := a.Validate(); err != nil && strings.Contains(err.Error(), "a:b@") {
			t.Errorf("%s: the error shows a password: %v", name, err)
		}
	}
}

// TestUpstreamsDocument: documents of upstream's interface are read, absent fields get upstream's
// defaults, and no field is written under another name.
func TestUpstreamsDocument(t *testing.T) {
	t.Parallel()
	app := NewApp("")
	if err := json.Unmarshal([]byte(`{"appName":"foo_app","appURL":"http://app_host:8080/yourJobs.gz","cpuCount":0.1,"memoryMB":64.0,
		"bootstrapScript":"bin/start.sh","appCacheEnable":true,"eventTraceSamplingCount":0}`), &app); err != nil {
		t.Fatal(err)
	}
	if app.Name != "foo_app" || app.CPU != 0.1 || app.MemoryMB != 64 || app.BootstrapScript != "bin/start.sh" || !app.CacheEnable {
		t.Errorf("read %+v", app)
	}
	job := NewJob("", "", 0)
	if err := json.Unmarshal([]byte(`{"jobName":"test_job","appName":"foo_app","jobExecutionType":"DAEMON","cron":"0/5 * * * * ?",
		"shardingTotalCount":5,"cpuCount":0.1,"memoryMB":64.0,"failover":true,"misfire":false,"shardingItemParameters":"0=A,1=B",
		"props":{"a":"b"}}`), &job); err != nil {
		t.Fatal(err)
	}
	if job.Type != TypeDaemon || job.Shards != 5 || !job.Failover || job.Misfire || job.MaxTimeDiff != -1 || job.Props["a"] != "b" {
		t.Errorf("read %+v", job)
	}
	if err := job.Validate(); err != nil {
		t.Error(err)
	}
}

// TestAsk: a request should be appended once per key, up to the limit, and otherwise refused with a reason.
func TestAsk(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	d := Definition{Job: NewJob("settlement", "shop", 3)}
	d.Job.Props = map[string]string{PropPendingMax: "2"}
	run, err := d.Ask(Request{Key: "1", Asked: now})
	if err != nil || run != ManualRunName("settlement", "1") {
		t.Fatalf("Ask = %q, %v", run, err)
	}
	if again, err := d.Ask(Request{Key: "1", Asked: now}); err != nil || again != run || len(d.Status.Requests) != 1 {
		t.Errorf("CL48: the same key is %q, %v with %d requests", again, err, len(d.Status.Requests))
	}
	for name, r := range map[string]Request{
		"no key":        {Asked: now},
		"parameters":    {Key: "2", Asked: now, Parameters: []byte(`[1]`)},
		"no shards":     {Key: "2", Asked: now, Shards: []int{}},
		"shard":         {Key: "2", Asked: now, Shards: []int{3}},
		"shards twice":  {Key: "2", Asked: now, Shards: []int{1, 1}},
		"far ahead":     {Key: "2", Asked: now, NotBefore: now.AddDate(2, 0, 0)},
		"great payload": {Key: "2", Asked: now, Parameters: make([]byte, MaxParameters+1)},
	} {
		var field *jobconfig.FieldError
		if _, err := d.Ask(r); !errors.As(err, &field) {
			t.Errorf("%s: %v names no field", name, err)
		}
	}
	if _, err := d.Ask(Request{Key: "2", Asked: now, Shards: []int{0, 2}}); err != nil {
		t.Error(err)
	}
	if _, err := d.Ask(Request{Key: "3", Asked: now}); !errors.Is(err, ErrPendingFull) {
		t.Errorf("a third request: %v", err)
	}
	d.SetDisabled(true, EndKill, now)
	if len(d.Status.Requests) != 0 {
		t.Errorf("a disabled job keeps %d requests", len(d.Status.Requests))
	}
	if _, err := d.Ask(Request{Key: "3", Asked: now}); !errors.Is(err, ErrRefused) {
		t.Errorf("CL48: a disabled job: %v", err)
	}
	d.SetDisabled(false, "", now)
	if d.Job.Type = TypeDaemon; !d.Status.LastFire.Equal(now) {
		t.Errorf("the cursor of an enabled job is %v", d.Status.LastFire)
	}
	if _, err := d.Ask(Request{Key: "3", Asked: now}); !errors.Is(err, ErrRefused) {
		t.Errorf("CL48: a DAEMON: %v", err)
	}
}

// TestCL31ProgramProps: properties of the scheduler's notifiers should stay out of the program's
// environment, and no others.
func TestCL31ProgramProps(t *testing.T) {
	t.Parallel()
	j := NewJob("settlement", "shop", 1)
	j.Props = map[string]string{"email.password": "s3cr3t", "wechat.webhook": "https://chat.example/1", "dingtalk.secret": "s3cr3t", "webhook.url": "https://hook.example/1", "region": "eu", "emails": "many"}
	for handler, want := range map[string]int{"": 6, "LOG": 6, "email": 6, "EMAIL": 2, "WECHAT": 2, "DINGTALK": 2, "WEBHOOK": 2} {
		j.ErrorHandlerType = handler
		got := j.ProgramProps()
		if len(got) != want || got["region"] != "eu" || got["emails"] != "many" || j.Notifies() != (want == 2) || len(j.Props) != 6 {
			t.Errorf("%q: the program gets %v", handler, got)
		}
	}
}
