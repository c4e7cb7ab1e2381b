//go:build kubernetes

package kubetest_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube/crdstore"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/internal/cloud/scheduler"
)

// TestCL19Rules: the API server refuses invalid objects, with the field and the allowed values.
func TestCL19Rules(t *testing.T) {
	t.Parallel()
	resourcesThere(t)
	client := jobsOf(emptyNamespace(t))
	for _, c := range []struct {
		spec map[string]any
		want []string
	}{
		{map[string]any{"shardingTotalCount": int64(-1)}, []string{"spec.shardingTotalCount", "greater than or equal to 1"}},
		{map[string]any{"shardingTotalCount": int64(100001)}, []string{"spec.shardingTotalCount", "100000"}},
		{map[string]any{"shardingTotalCount": 2.5}, []string{"spec.shardingTotalCount", "integer"}},
		{map[string]any{"cpuCount": int64(0)}, []string{"spec.cpuCount", "0.001"}},
		{map[string]any{"memoryMB": 0.5}, []string{"spec.memoryMB", "1"}},
		{map[string]any{"jobName": "a/b"}, []string{"spec.jobName"}},
		{map[string]any{"jobName": "a@-@b"}, []string{"spec.jobName", "@-@"}},
		{map[string]any{"jobName": strings.Repeat("a", 101)}, []string{"spec.jobName", "100"}},
		{map[string]any{"jobName": nil}, []string{"spec.jobName", "Required"}},
		{map[string]any{"jobExecutionType": "BATCH"}, []string{"spec.jobExecutionType", "TRANSIENT", "DAEMON"}},
		{map[string]any{"jobExecutionType": "DAEMON"}, []string{"spec.cron", "DAEMON"}},
		{map[string]any{"cron": "*/5 * * * *"}, []string{"spec.cron", "begin with the second"}},
		{map[string]any{"clockChange": "twice"}, []string{"spec.clockChange"}},
		{map[string]any{"props": map[string]any{cloud.PropOverlap: "never"}}, []string{"spec.props", "queue-one"}},
		{map[string]any{"props": map[string]any{cloud.PropPendingMax: "1001"}}, []string{"spec.props", "1000"}},
		{map[string]any{"props": map[string]any{"a": int64(1)}}, []string{"spec.props.a", "string"}},
	} {
		_, err := client.Create(t.Context(), manifest("settlement", c.spec), metav1.CreateOptions{})
		if !apierrors.IsInvalid(err) {
			t.Errorf("%v: %v; want that it is invalid", c.spec, err)
			continue
		}
		for _, word := range c.want {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%v: %v; want %q in it", c.spec, err, word)
			}
		}
	}
	strict := metav1.CreateOptions{FieldValidation: "Strict"} // like kubectl
	if _, err := client.Create(t.Context(), manifest("settlement", map[string]any{"shardingTotal": int64(1)}), strict); !apierrors.IsBadRequest(err) || !strings.Contains(err.Error(), "spec.shardingTotal") {
		t.Errorf("a field that does not exist: %v; want that it is refused", err)
	}
	if _, err := client.Create(t.Context(), manifest("settlement", map[string]any{"cron": "0 30 2 * * ?"}), strict); err != nil {
		t.Error(err)
	}
}

// TestCL19RulesOfChanges: the name never changes, and the type only while the job is disabled.
func TestCL19RulesOfChanges(t *testing.T) {
	t.Parallel()
	resourcesThere(t)
	client := jobsOf(emptyNamespace(t))
	made, err := client.Create(t.Context(), manifest("settlement", map[string]any{"cron": "0 30 2 * * ?"}), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	patch := func(spec map[string]any) error {
		text, err := json.Marshal(map[string]any{"spec": spec})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Patch(t.Context(), made.GetName(), types.MergePatchType, text, metav1.PatchOptions{})
		return err
	}
	if err := patch(map[string]any{"jobName": "another"}); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "cannot change") {
		t.Errorf("another name: %v", err)
	}
	if err := patch(map[string]any{"jobExecutionType": "DAEMON"}); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "only while the job is disabled") {
		t.Errorf("another type: %v", err)
	}
	shared := map[string]any{"props": map[string]any{"cloud.daemon": "registry"}}
	if err := patch(shared); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "changes only while the job is disabled") {
		t.Errorf("shared shards: %v", err)
	}
	for _, spec := range []map[string]any{{"disabled": true}, {"jobExecutionType": "DAEMON"}, shared, {"disabled": false}} {
		if err := patch(spec); err != nil {
			t.Errorf("%v: %v", spec, err)
		}
	}
}

var age = regexp.MustCompile(`\b9[0-9]s\b`)

// TestPrintedColumns: the output of `kubectl get ej` and `kubectl get eja`.
func TestPrintedColumns(t *testing.T) {
	t.Parallel()
	resourcesThere(t)
	namespace := emptyNamespace(t)
	s := openStore(t, namespace)
	job := cloud.NewJob("settlement", "shop", 3)
	job.Cron, job.TimeZone = "0 30 2 * * ?", "Europe/Berlin"
	if _, err := s.Create(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateApp(t.Context(), cloud.NewApp("shop")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Change(t.Context(), "settlement", func(d *cloud.Definition) error {
		d.Status.Pending = []time.Time{time.Unix(1795344540, 0)}
		d.Status.LastRun = cloud.LastRun{Name: "settlement-1795344540", State: cloud.RunFailed, Ended: time.Now().Add(-90 * time.Second)}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for plural, want := range map[string]string{
		"elasticjobs":    "Name Type Cron Zone Items Disabled Owed Last Result|settlement TRANSIENT 0 30 2 * * ? Europe/Berlin 3 false 1 AGE failed",
		"elasticjobapps": "Name Image CPU MemoryMB Disabled Accepted Age|shop",
	} {
		text, err := cluster.Core.RESTClient().Get().AbsPath("/apis", kube.Group, kube.Version, "namespaces", namespace, plural).
			SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").DoRaw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var table metav1.Table
		if err := json.Unmarshal(text, &table); err != nil {
			t.Fatal(err)
		}
		got := age.ReplaceAllString(printed(table), "AGE")
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s are printed as %q; want %q", plural, got, want)
		}
	}
}

// printed returns kubectl's output for a table with one row.
func printed(table metav1.Table) string {
	var heads, cells []string
	for i, c := range table.ColumnDefinitions {
		if c.Priority > 0 {
			continue
		}
		heads = append(heads, c.Name)
		if len(table.Rows) == 1 {
			text, err := json.Marshal(table.Rows[0].Cells[i])
			if err != nil {
				text = []byte(err.Error())
			}
			cells = append(cells, strings.Trim(string(text), `"`))
		}
	}
	return strings.Join(heads, " ") + "|" + strings.Join(cells, " ")
}

// schedule runs a scheduler with store and engine, with the rights of its Role.
func schedule(t *testing.T, namespace string, s *crdstore.Store) *scheduler.Scheduler {
	t.Helper()
	clients, err := kube.Connect(cluster.Scheduler)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	engine, err := kube.Open(kube.Config{Clients: clients, Namespace: namespace, Owners: s.In(namespace), Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	run, err := scheduler.New(scheduler.Config{Engine: engine, Store: s, Leadership: kube.NewLeadership(clients.Leases, namespace, "test", kube.Timing{}, log), Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return run
}

// TestCL19WrongJobs: a job that only the scheduler can refuse has the reason in its status, and
// doesn't fire. Another one does, and its runs belong to it.
func TestCL19WrongJobs(t *testing.T) {
	t.Parallel()
	resourcesThere(t)
	namespace := emptyNamespace(t)
	s := openStore(t, namespace)
	schedule(t, namespace, s)
	app := cloud.NewApp("shop")
	app.Image, app.Env, app.CPU, app.MemoryMB = "registry.example/shop:1", map[string]string{"PLAY": kubetest.PlayWell}, 0.01, 1
	if _, err := s.CreateApp(t.Context(), app); err != nil {
		t.Fatal(err)
	}
	client := jobsOf(namespace)
	for name, spec := range map[string]map[string]any{
		"cron": {"cron": "0 0 25 * * ?"}, "zone": {"cron": "0 0 2 * * ?", "timeZone": "Europe/Atlantis"}, "right": {"cron": "* * * * * ?"},
	} {
		if _, err := client.Create(t.Context(), manifest(name, spec), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for name, word := range map[string]string{"cron": "cron", "zone": "timeZone"} {
		if c := condition(t, client, name, cloud.ConditionAccepted, cloud.ReasonInvalid); c.Status != metav1.ConditionFalse || !strings.Contains(c.Message, word) {
			t.Errorf("%s: the condition is %+v; want %q in its message", name, c, word)
		}
	}
	if c := condition(t, client, "right", cloud.ConditionAccepted, "Accepted"); c.Status != metav1.ConditionTrue {
		t.Errorf("the condition is %+v", c)
	}
	if c := condition(t, client, "right", cloud.ConditionHealthy, cloud.ReasonLastRun); c.Status != metav1.ConditionTrue {
		t.Errorf("the condition is %+v", c)
	}
	owner, err := client.Get(t.Context(), "right", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := cluster.Batch.Jobs(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(runs.Items) == 0 {
		t.Fatalf("the runs are %v, %v", runs, err)
	}
	for _, r := range runs.Items {
		if !metav1.IsControlledBy(&r, owner) {
			t.Errorf("run %s belongs to %v; want the ElasticJob", r.Name, r.OwnerReferences)
		}
	}
}

// TestCL25ElasticJobDeleted: its runs are deleted with it, and their tasks count as killed. If it's
// created again, it's another job with another cursor.
func TestCL25ElasticJobDeleted(t *testing.T) {
	t.Parallel()
	resourcesThere(t)
	namespace := emptyNamespace(t)
	s := openStore(t, namespace)
	seen, _ := watchStore(t, s)
	job := cloud.NewJob("settlement", "shop", 3)
	job.CPU, job.MemoryMB = 0.01, 1
	made, err := s.Create(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := s.Change(t.Context(), "settlement", func(d *cloud.Definition) error { d.Status.LastFire = time.Unix(1795344540, 0); return nil })
	if err != nil {
		t.Fatal(err)
	}
	seen.until("the job", func() bool { return seen.jobs["settlement"].Revision == changed.Revision })
	f := owned(t, namespace, s.In(namespace))
	r := f.launch(func(r *cloud.Run) { r.Owner = made.UID })
	f.working(3)
	if err := jobsOf(namespace).Delete(t.Context(), "settlement", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)}); err != nil {
		t.Fatal(err)
	}
	seen.until("the job no longer exists", func() bool { return len(seen.jobs) == 0 })
	f.until(patience, "the run no longer exists", func() bool { return len(f.runs) == 0 && len(f.last) == 3 })
	f.mu.Lock()
	for _, task := range f.last {
		if task.State != "TASK_KILLED" || !strings.Contains(task.Message, "was deleted") {
			t.Errorf("shard %d of %s ended as %s: %s", task.Shard, r.Name, task.State, task.Message)
		}
	}
	f.mu.Unlock()
	again, err := s.Create(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if again.UID == made.UID || again.Revision <= changed.Revision || !again.Status.LastFire.IsZero() || slices.Contains([]string{changed.Version, made.Version}, again.Version) {
		t.Errorf("made again is %+v after %+v", again, changed)
	}
}
