//go:build !race

package app_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// mostAnswer bounds each answer of the crawl, in bytes.
const mostAnswer = 2 << 20

// The values that mutants hold in the place of a number, of a text and of anything: of anyone who can
// write to ZooKeeper, and of a release that is newer than this one.
var (
	wrongNumbers = []any{-5, 100001, json.Number("9223372036854775807")}
	wrongTexts   = []any{"from-a-later-release"}
	wrongKinds   = []any{nil}
)

// mutants are copies of a document with one wrong value each, in every place where it has one.
func mutants(t *testing.T, document string) (list []string) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(document), &root); err != nil {
		t.Fatal(err)
	}
	var visit func(value any, set func(any))
	visit = func(value any, set func(any)) {
		wrong := wrongKinds
		switch v := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(v[key], func(other any) { v[key] = other })
			}
		case []any:
			for i := range v {
				visit(v[i], func(other any) { v[i] = other })
			}
		case float64:
			wrong = wrongNumbers
		case string:
			wrong = wrongTexts
		}
		for _, other := range wrong {
			set(other)
			text, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, string(text))
		}
		set(value)
	}
	visit(root, func(other any) { root = other })
	return list
}

// The documents of a job without a wrong value.
const (
	goodConfig = `{"jobName":"%s","cron":"0/5 * * * * ?","timeZone":"Asia/Shanghai","shardingTotalCount":2,"shardingItemParameters":"0=a,1=b","jobParameter":"p",` +
		`"monitorExecution":true,"failover":true,"misfire":true,"maxTimeDiffSeconds":-1,"reconcileIntervalMinutes":10,"jobShardingStrategyType":"AVG_ALLOCATION",` +
		`"jobExecutorThreadPoolSizeProviderType":"CPU","jobErrorHandlerType":"LOG","jobListenerTypes":["audit"],"description":"d","disabled":false,"overwrite":true,"label":"l","laterKey":{"a":1},` +
		`"props":{"run.deal":"each","run.overlap":"queue","run.keep":"100","run.timeout":"10s","run.backoff":"1s","schedule.jitter":"1s","schedule.from":"2026-01-01","schedule.exclude":"SAT",` +
		`"cron.clock.change":"once","streaming.process":"true"}}`
	goodRequest = `{"v":1,"id":"%s","at":1795262400000,"by":{"kind":"code","name":"n","from":"f"},"params":{"month":"2026-11"},"due":1795262400000,"expires":1795862400000,"fire":1795262400000,` +
		`"items":"0-1","deal":"each","overlap":"queue","retries":3,"backoff":1000,"backoffMax":60000,"attempt":2,"losses":1,"snoozes":1,"sofar":{"ok":"0","skip":"1","result":{"0":{"a":1}}},` +
		`"failedBefore":"0","key":"k","keyFor":60000,"note":"n","manual":true,"parent":"p","backfill":"b","error":"e","began":1795262400000}`
	goodBackfill = `{"v":1,"id":"%s","at":1795262400000,"by":{"kind":"page","name":"n"},"from":1795000000000,"to":1795100000000,"params":{"a":1},"parallel":10,"total":9,"placed":5,` +
		`"removed":{"succeeded":2,"failed":1},"problem":"p","cancel":{"by":"b","at":1795262400000,"reason":"r"},"ended":1795262401000}`
	goodRecord = `{"v":1,"id":"%s","at":1795262400000,"by":{"kind":"code"},"due":1795262400000,"deal":"each","attempt":1,"life":"a1","open":{"at":1795262400000,"by":"10.0.0.1@-@7"},"total":7,` +
		`"wait":"0","ok":"1","skip":"2","failed":"3","cut":"4","run":{"5":{"i":"10.0.0.1@-@7","s":"1","n":"2","at":1795262400000}},"fail":{"3":"e"},"result":{"1":{"a":1}},` +
		`"snooze":{"6":1795262400000},"after":1795262400000,"cancel":{"by":"b","at":1795262400000,"reason":"r"}}`
	goodOutcome = `{"v":1,"id":"%s","state":"failed","reason":"r","at":1795262400000,"due":1795262400000,"started":1795262400000,"ended":1795262401000,"attempt":1,"losses":0,"snoozes":0,` +
		`"ok":1,"failed":1,"skipped":1,"cut":1,"errors":{"1":"e"},"result":{"0":{"a":1}},"by":{"kind":"code","name":"n"},"key":"k","note":"n","deal":"each","items":"0-3","failedShards":"1",` +
		`"cutShards":"3","params":{"month":"2026-11"},"hasParams":true}`
	goodSchema = `{"schema":{"type":"object","properties":{"month":{"type":"string","pattern":"^[0-9-]+$"},"count":{"type":"integer","minimum":1,"maximum":9}},"required":["month"]},` +
		`"by":"10.0.0.1@-@7","at":1795262400000}`
	goodHold     = `{"what":"schedule","by":"b","at":1795262400000,"reason":"r"}`
	goodInstance = `{"jobInstanceId":"10.0.0.1@-@7","serverIp":"10.0.0.1","labels":"a"}`
	goodCloudApp = `{"appName":"app","appURL":"http://files/app.tar.gz","bootstrapScript":"run.sh","cpuCount":0.5,"memoryMB":64,"appCacheEnable":true,"eventTraceSamplingCount":0}`
	goodCloudJob = `{"appName":"app","jobName":"j","jobExecutionType":"TRANSIENT","cron":"0 0 2 * * ?","shardingTotalCount":3,"cpuCount":0.1,"memoryMB":64,"failover":true,"misfire":true,` +
		`"monitorExecution":true,"maxTimeDiffSeconds":-1,"reconcileIntervalMinutes":1,"description":"d","props":{"script.command.line":"x"},"disabled":false}`
	goodCloudStatus = `{"lastFireTime":"2026-11-21T02:00:00Z","schedule":"s","pending":["2026-11-21T02:00:00Z"],"pendingManual":[{"key":"k","asked":"2026-11-21T02:00:00Z","shards":[1]}],` +
		`"missedTotal":1,"coalescedTotal":1,"running":"keep","lastRun":{"name":"r","state":"succeeded","ended":"2026-11-21T02:00:00Z"},"conditions":[{"type":"Scheduled","ok":true,"reason":"r"}]}`
)

// planted are the names of jobs with the ids of their requested runs, and the jobs and
// applications of ElasticJob-Cloud.
type planted struct {
	jobs, backfills  map[string][]string
	cloudJobs, cloud []string
}

// wrongTree plants jobs, and ElasticJob-Cloud, in which one value is wrong each.
func wrongTree(t *testing.T, tree *treetest.Bundle) (p planted) {
	t.Helper()
	p.jobs, p.backfills = map[string][]string{}, map[string][]string{}
	put := func(path, data string) { t.Helper(); tree.Put(t, path, data, zk.Persistent) }
	job := func(name, config string) {
		p.jobs[name] = nil
		tree.Plant(t, consoletest.PlantedJob(name, config))
	}
	for i, config := range mutants(t, strings.Replace(goodConfig, "%s", "j", 1)) {
		job(fmt.Sprintf("config-%d", i), config)
	}
	good := func(name string) { job(name, strings.Replace(goodConfig, "%s", name, 1)) }
	for i, hold := range mutants(t, goodHold) {
		name := fmt.Sprintf("hold-%d", i)
		good(name)
		put(name+"/extension/runs/bell", "")
		put(name+"/extension/held", hold)
	}
	for i, schema := range mutants(t, goodSchema) {
		name := fmt.Sprintf("schema-%d", i)
		good(name)
		put(name+"/extension/params", schema)
	}
	runs := func(name, document, folder string, node func(i int, id string) string) {
		good(name)
		for i, wrong := range mutants(t, document) {
			id := fmt.Sprintf("20261121-000000-%04d", i)
			put(name+folder+node(i, id), strings.Replace(wrong, "%s", id, 1))
			p.jobs[name] = append(p.jobs[name], id)
		}
	}
	runs("queued", goodRequest, "/extension/runs/queue/", func(_ int, id string) string { return "5-1795262400000-" + id })
	runs("scheduled", goodRequest, "/extension/runs/due/00/", func(_ int, id string) string { return "5-9999999999999-" + id })
	runs("active", goodRecord, "/extension/runs/active/", func(i int, _ string) string { return fmt.Sprint(i) })
	runs("ended", goodOutcome, "/extension/runs/done/", func(_ int, id string) string { return "1795262401000-" + id })
	for i, wrong := range mutants(t, goodBackfill) {
		name, id := fmt.Sprintf("filled-%d", i/15), fmt.Sprintf("0193a5b0-7c11-7000-8000-%012d", i)
		good(name)
		put(name+"/extension/runs/backfills/"+id, strings.Replace(wrong, "%s", id, 1))
		put(name+"/extension/runs/backfills/"+id+"/times", "x")
		p.backfills[name] = append(p.backfills[name], id)
	}
	for _, released := range []string{"x", "-1", "9223372036854775807 9223372036854775807", "0 0"} {
		name := "released-" + strings.ReplaceAll(released, " ", "-")
		good(name)
		put(name+"/extension/runs/done", released)
	}
	good("later")
	put("later/extension/runs", "2")
	put("later/extension/paces/0", `{"v":2}`)
	put("later/sharding/0/paced", "")
	put("later/servers/10.0.0.1", "PAUSED")
	good("nodes")
	for i, document := range append(mutants(t, goodInstance), strings.Repeat("x", 100<<10)) {
		put(fmt.Sprintf("nodes/instances/10.0.1.%d@-@%d", i, i), document)
		put(fmt.Sprintf("nodes/servers/10.0.1.%d", i), document)
		for _, child := range []string{"instance", "running", "failover"} {
			put(fmt.Sprintf("nodes/sharding/%d/%s", i, child), document)
		}
	}
	for _, item := range []string{"-5", "007", "99999", "100001", "9223372036854775808", "x"} {
		put("nodes/sharding/"+item+"/instance", "10.0.0.1@-@7")
		put("nodes/leader/failover/items/"+item, item)
		put("nodes/extension/fired/"+item, item+" x "+item)
	}
	put("nodes/leader/election/instance", strings.Repeat("x", 900<<10))
	job("huge-text", "jobName: huge-text\nshardingTotalCount: 2\ncron: "+strings.Repeat("x", 900<<10)+"\n")
	var properties, keys strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&properties, "  key.%d: value\n", i)
		fmt.Fprintf(&keys, "key%d: value\n", i)
	}
	job("huge-properties", "jobName: huge-properties\nshardingTotalCount: 2\nprops:\n"+properties.String())
	job("huge-keys", "jobName: huge-keys\nshardingTotalCount: 2\n"+keys.String())
	for i, document := range mutants(t, goodCloudApp) {
		name := fmt.Sprintf("app-%d", i)
		put("config/app/"+name, document)
		p.cloud = append(p.cloud, name)
	}
	for i, document := range mutants(t, goodCloudJob) {
		name := fmt.Sprintf("job-%d", i)
		put("config/job/"+name, document)
		p.cloudJobs = append(p.cloudJobs, name)
	}
	for i, status := range mutants(t, goodCloudStatus) {
		name := fmt.Sprintf("status-%d", i)
		put("config/job/"+name, goodCloudJob)
		put("extension/status/"+name, status)
		p.cloudJobs = append(p.cloudJobs, name)
	}
	return p
}

// storedCloud is what a store in a tree holds of ElasticJob-Cloud.
type storedCloud struct {
	app.CloudSeen
	apps []cloud.App
	jobs []cloud.Definition
}

func (s storedCloud) Apps() []cloud.App        { return s.apps }
func (s storedCloud) Jobs() []cloud.Definition { return s.jobs }

func readCloud(t *testing.T, store cloud.Store) (s storedCloud) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_ = store.Watch(ctx, func(e cloud.StoreEvent) { // It ends because we cancel it.
		switch {
		case e.Event == cloud.EventSynced:
			cancel()
		case e.Kind == cloud.KindApp:
			s.apps = append(s.apps, e.App)
		case e.Kind == cloud.KindJob:
			s.jobs = append(s.jobs, e.Definition)
		}
	})
	return s
}

// TestW61EveryRouteOverWrongTrees asks every page and every route of the REST interface about
// trees with wrong values, and about trees of a later release. No answer may be a fault of ours, or
// larger than the bound.
func TestW61EveryRouteOverWrongTrees(t *testing.T) {
	t.Parallel()
	tree := treetest.New(t, zktest.Fake(t).Addr)
	p := wrongTree(t, tree)
	store := zkstore.New(treetest.Connect(t, tree.Addr), tree.NS)
	t.Cleanup(store.Close)
	reader := statistics.NewWatchingReader(tree.Registry())
	t.Cleanup(reader.Close)
	b := consoletest.New(t, func(o *app.Options) {
		o.ReadTimeout, o.ActionTimeout = time.Hour, time.Hour
		o.Jobs, o.Operator, o.Changes, o.Instances, o.Memory = reader, lifecycle.NewOperator(tree.Registry()).DialWith(outbound.List{}.Dial), reader.OnChange, reader, reader.Memory()
		seen := readCloud(t, store)
		seen.CloudSeen = o.Cloud.Seen
		o.Cloud.Store, o.Cloud.Seen = store, seen
	})
	routes := b.Console.Routes()
	slices.SortStableFunc(routes, func(a, b app.Route) int { // First the routes without a change.
		return cmp.Compare(changes(a), changes(b))
	})
	for _, r := range routes {
		for _, target := range p.addresses(r.Path) {
			ask(t, b, r, target)
		}
	}
}

func changes(r app.Route) int {
	switch {
	case r.Method == http.MethodGet:
		return 0
	case r.Method == http.MethodDelete || strings.Contains(r.Path, "remove"):
		return 2
	}
	return 1
}

// addresses lists the addresses of a route, for every job, application or run that it can name.
func (p planted) addresses(path string) (list []string) {
	if strings.Contains(path, "*") {
		return nil
	}
	ofLite := strings.HasPrefix(path, "/jobs/:job") || strings.HasPrefix(path, "/api/jobs/") || strings.HasPrefix(path, "/api/servers/")
	switch {
	case strings.Contains(path, ":request"), strings.Contains(path, ":backfill"):
		of := p.jobs
		if strings.Contains(path, ":backfill") {
			of = p.backfills
		}
		for job, ids := range of {
			for _, id := range ids {
				list = append(list, strings.NewReplacer(":job", job, ":request", id, ":backfill", id).Replace(path))
			}
		}
	case strings.Contains(path, ":job") && ofLite:
		for job := range p.jobs {
			list = append(list, strings.Replace(path, ":job", job, 1))
		}
	case strings.Contains(path, ":job"):
		for _, job := range p.cloudJobs {
			list = append(list, strings.Replace(path, ":job", job, 1))
		}
	case strings.Contains(path, ":app"):
		for _, application := range p.cloud {
			list = append(list, strings.Replace(path, ":app", application, 1))
		}
	default:
		list = []string{path}
	}
	for i := range list {
		list[i] = consoletest.Filled(strings.Replace(list[i], ":ip", "10.0.0.1", 1))
	}
	slices.Sort(list)
	return list
}

// ask sends one request and judges the answer.
func ask(t *testing.T, b *consoletest.Bench, r app.Route, target string) {
	t.Helper()
	var body io.Reader
	if r.Method != http.MethodGet && strings.Contains(target, "/config") {
		body = strings.NewReader(`{"jobName":"` + path.Base(strings.TrimSuffix(target, "/config/preview")) + `","description":"changed"}`)
	}
	req := httptest.NewRequest(r.Method, target, body)
	if app.SurfaceOf(req.URL.Path) == app.API {
		req.Header.Set("Authorization", "Bearer "+b.Token(t, auth.RoleRoot, auth.ForAPI))
	} else {
		req.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: b.Token(t, auth.RoleRoot, auth.ForPages)})
	}
	w := httptest.NewRecorder()
	b.Console.ServeHTTP(w, req)
	switch size := w.Body.Len(); {
	case w.Code >= http.StatusInternalServerError:
		t.Errorf("%s %s answers %d: %s", r.Method, target, w.Code, view.Clip(w.Body.String(), 300))
	case size > mostAnswer:
		t.Errorf("%s %s answers %d bytes, want at most %d", r.Method, target, size, mostAnswer)
	}
}
