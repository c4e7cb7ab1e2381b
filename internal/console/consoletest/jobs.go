package consoletest

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/registries"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// PlainConfig is the configuration of a job of 3.x with two shards.
const PlainConfig = "cron: 0/5 * * * * ?\njobName: %s\nshardingTotalCount: 2\n"

// Plain is a planted job with it.
func Plain(job string) string { return PlantedJob(job, fmt.Sprintf(PlainConfig, job)) }

// WantDump compares the tree below a node.
func (b TreeBench) WantDump(t *testing.T, below string, want ...string) {
	t.Helper()
	got := strings.FieldsFunc(b.Tree.Dump(t, below), func(r rune) bool { return r == '\n' })
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
		t.Errorf("below %s (-want +got):\n%s", below, diff)
	}
}

// OwnDatabase gives a bench a real database of its own.
func OwnDatabase(t *testing.T, dsn string) func(*app.Options) {
	t.Helper()
	db := storetest.Open(t, dsn)
	if err := db.MigrateConsole(t.Context()); err != nil {
		t.Fatal(err)
	}
	key, err := settings.ParseKey("f3dc426d8b565130e6c463f0c58f9454a3e5d84242755c5048d794f365e1ff17")
	if err != nil {
		t.Fatal(err)
	}
	return func(o *app.Options) { o.Settings = settings.New(db, key) }
}

// Stored2x is a configuration of ElasticJob 2.x.
const Stored2x = `{"jobName":"old","jobClass":"com.example.Old","jobType":"SIMPLE","cron":"0/5 * * * * ?","shardingTotalCount":2,"monitorPort":9888,"overwrite":true,"disabled":false,"jobProperties":{"job_exception_handler":"com.example.H"}}`

// OwnSources gives a bench real connections to trace databases.
func OwnSources(t *testing.T, folder string, allow ...string) func(*app.Options) {
	t.Helper()
	list, err := outbound.Parse(allow)
	if err != nil {
		t.Fatal(err)
	}
	pool := registries.NewDatabases(registries.DatabaseOptions{Allow: list, Folder: folder, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(pool.Close)
	return func(o *app.Options) { o.Sources = registries.Traces(pool) }
}

// LoginForm is what the login page sends.
func LoginForm(username, password, next string) url.Values {
	return url.Values{"username": {username}, "password": {password}, "next": {next}}
}

// JSONBody gives a request a body.
func JSONBody(text string) func(*http.Request) {
	return func(r *http.Request) {
		fresh, err := http.NewRequest(r.Method, r.URL.String(), strings.NewReader(text))
		if err != nil {
			panic(err)
		}
		r.Body, r.ContentLength, r.GetBody = fresh.Body, fresh.ContentLength, fresh.GetBody
		r.Header.Set("Content-Type", "application/json")
	}
}

// LastRecord is the newest row of the audit.
func (b *Bench) LastRecord(t *testing.T) settings.Record {
	t.Helper()
	b.Settings.Mu.Lock()
	defer b.Settings.Mu.Unlock()
	if len(b.Settings.Written) == 0 {
		t.Fatal("nothing in the audit")
	}
	return b.Settings.Written[len(b.Settings.Written)-1]
}

// Filled is a route's address with things that exist.
func Filled(path string) string {
	return strings.NewReplacer(":job", "invoices", ":ip", "10.2.0.14", ":item", "0", ":name", "billing", ":area", "jobs", ":prefix", "in", ":period", "lastHour", ":port", "9888", ":run", SampleRun, ":id", SampleChange, ":token", SampleToken, ":request", SampleRequest, ":backfill", SampleRequest, ":app", SampleApp, ":task", SampleTask, ":operation", "postJobsJobTrigger").Replace(path)
}

// SampleChange is the id of an action on several jobs in the sample.
const SampleChange = "00112233445566778899aabbccddeeff"

// SampleRun is the id of the last run of the job invoices in the sample.
var SampleRun = fmt.Sprintf("at-%d", Noon.Add(-time.Minute).Unix())

// RegistryJSONOf is the request that enters a registry.
func RegistryJSONOf(name, addr, namespace string) string {
	return fmt.Sprintf(`{"name":%q,"zkAddressList":%q,"namespace":%q,"digest":""}`, name, addr, namespace)
}

// Entered is a console with two registries, "red" with the job red-job
// and "blue" with the job blue-job, in a real ZooKeeper or the in-process one.
type Entered struct {
	*Bench
	Red, Blue *treetest.Bundle
}

// EachEntered runs a test on both servers with two registries entered.
func EachEntered(t *testing.T, fn func(t *testing.T, b Entered)) {
	t.Helper()
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := Entered{
			Bench: New(t, OwnDatabase(t, storetest.SQLiteDSN(t)), OwnRegistries(t, "127.0.0.0/8")),
			Red:   treetest.New(t, srv.Addr), Blue: treetest.New(t, srv.Addr),
		}
		for name, tree := range map[string]*treetest.Bundle{"red": b.Red, "blue": b.Blue} {
			tree.Plant(t, Plain(name+"-job"))
			WantStatus(t, b.Call(t, http.MethodPost, "/api/registry-center", RegistryJSONOf(name, srv.Addr, tree.NS.String())), http.StatusCreated)
		}
		fn(t, b)
	})
}

// OwnRegistries gives a bench a real pool of connections.
func OwnRegistries(t *testing.T, allow ...string) func(*app.Options) {
	t.Helper()
	list, err := outbound.Parse(allow)
	if err != nil {
		t.Fatal(err)
	}
	pool := registries.NewPool(registries.Options{Allow: list, SessionTimeout: 30 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(pool.Close)
	return func(o *app.Options) { o.Registries = registries.Registries(pool) }
}

// Trap listens, and counts who comes.
func Trap(t *testing.T) (addr string, visits *atomic.Int32) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	visits = new(atomic.Int32)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			visits.Add(1)
			conn.Close()
		}
	}()
	t.Cleanup(func() { listener.Close(); <-done })
	return listener.Addr().String(), visits
}

// Recorded are the records of the audit from one on.
func (b *Bench) Recorded(from int) []settings.Record {
	b.Settings.Mu.Lock()
	defer b.Settings.Mu.Unlock()
	return append([]settings.Record(nil), b.Settings.Written[from:]...)
}

// AuditLines are the audit records in the log, from the given length on.
func (b *Bench) AuditLines(from int) []string {
	var lines []string
	for _, line := range strings.Split(b.Log.String()[from:], "\n") {
		if strings.Contains(line, "msg=audit ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// Follow sends an action from a page and returns the page it leads to.
func (b *Bench) Follow(t testing.TB, target string, form url.Values) (location string, page Reply) {
	t.Helper()
	r := b.As(t, auth.RoleRoot, http.MethodPost, target, form)
	WantStatus(t, r, http.StatusSeeOther)
	location = r.Header.Get("Location")
	return location, b.As(t, auth.RoleRoot, http.MethodGet, location, nil, func(req *http.Request) {
		if c := r.Cookie(app.FlashCookie); c != nil {
			req.AddCookie(c)
		}
	})
}

// Stored3x is a configuration as a Java agent and an operator leave it: a tagged
// block, listeners, a key that nobody here knows, and a comment.
const Stored3x = `# billing
cron: 0/5 * * * * ?
futureKey: {a: 1}
jobExtraConfigurations:
- !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration
  type: RDB
jobExecutorThreadPoolSizeProviderType: SINGLE_THREAD
jobListenerTypes:
- audit
jobName: j
props:
  db.password: s3cret-Canary-9
  streaming.process: 'true'
shardingTotalCount: 2
`

// ConfigurationsXML is a file of ElasticJob's console.
const ConfigurationsXML = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<globalConfiguration>
    <registryCenterConfigurations>
        <registryCenterConfiguration activated="true" digest="ops:s3cret-Canary" name="shop" namespace="shop" zkAddressList="zk1:2181,zk2:2181"/>
        <registryCenterConfiguration activated="false" digest="" name="billing &amp; co" namespace="b" zkAddressList="zk3:2181"/>
    </registryCenterConfigurations>
    <eventTraceDataSourceConfigurations>
        <eventTraceDataSourceConfiguration activated="false" driver="com.mysql.jdbc.Driver" name="traces" password="pw-Canary" url="jdbc:mysql://db1:3306/log?useSSL=false&amp;serverTimezone=UTC" username="root"/>
    </eventTraceDataSourceConfigurations>
</globalConfiguration>`

// Audit reads the audit by the API.
func (b *Bench) Audit(t *testing.T, query string) api.Page[api.AuditRecord] {
	t.Helper()
	var page api.Page[api.AuditRecord]
	b.Call(t, http.MethodGet, "/api/audit"+query, "").Into(t, &page)
	return page
}

// CreateJob stores nothing: what it does is for tests with a tree.
func (f *FakeRegistry) CreateJob(_ context.Context, config *jobconfig.Config, _ string) (lifecycle.StoredConfig, error) {
	if err := lifecycle.ValidateConfig(config); err != nil {
		return lifecycle.StoredConfig{}, &lifecycle.Error{Op: "create", Job: config.Name, Kind: lifecycle.ErrInvalid, Err: err}
	}
	_, err := f.act("create", config.Name)
	return lifecycle.StoredConfig{Config: config, Created: 11}, err
}

// JavaAgents turns all agents into Java agents, which don't accept requested runs.
func JavaAgents(f *FakeRegistry) {
	for i := range f.List {
		for k := range f.List[i].Instances {
			f.List[i].Instances[k].Agent = statistics.Agent{}
		}
	}
}

// ManyShards gives the first job of the sample 1,000 shards on three instances; 5 runs,
// 6 is lost.
func ManyShards(b *Bench) {
	b.Registry.Set(func(f *FakeRegistry) {
		j := &f.List[0]
		j.Shards = nil
		for item := range 1000 {
			j.Shards = append(j.Shards, statistics.Shard{Item: item, Parameter: fmt.Sprintf("Region-%03d", item), Instance: j.Instances[item*3/1000].ID, Status: statistics.ShardPending})
		}
		j.Job.Shards, j.Changed = 1000, time.Now() // Its runs had fewer shards.
		j.Shards[5].Status, j.Shards[6].Lost = statistics.ShardRunning, true
	})
}
