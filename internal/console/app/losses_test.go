package app_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// keepInstances has a console remember instances until the returned function is called.
func keepInstances(t *testing.T, b *consoletest.Bench) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.Console.KeepInstances(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

// TestW24LostInstances: four of six instances are lost at once, and one stops. The overview has a
// line for the four, Explain names them, and the API lists them, until one returns and an operator
// acknowledges the others.
func TestW24LostInstances(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		tree := treetest.New(t, srv.Addr)
		tree.Plant(t, consoletest.PlantedJob("j", fmt.Sprintf(consoletest.PlainConfig, "j")))
		node := func(n int) string { return fmt.Sprintf("10.0.1.%d@-@1", n) }
		plant := func(n int) {
			tree.Plant(t, fmt.Sprintf("j/instances/%[1]s [E] = %[2]q\nj/extension/agents/%[1]s [E] = go", node(n), "jobInstanceId: "+node(n)+"\nserverIp: 10.0.1."+fmt.Sprint(n)+"\n"))
		}
		for n := range 6 {
			plant(n)
		}
		b := consoletest.New(t, func(o *app.Options) {
			reader := statistics.NewReader(tree.Registry())
			o.Jobs, o.Operator, o.Instances = reader, lifecycle.NewOperator(tree.Registry()), reader
		})
		defer keepInstances(t, b)()
		type loss struct {
			InstanceID, ServerIP, At, Exit string
			Jobs                           []struct{ JobName string }
		}
		losses := func() (list []loss) {
			b.Call(t, http.MethodGet, "/api/losses", "").Into(t, &list)
			return list
		}
		await := func(what string, ok func() bool) {
			t.Helper()
			waittest.Until(t, what, func() bool {
				b.Registry.Announce(statistics.News{Job: "j"})
				return ok()
			})
		}
		events := func() string { return b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/activity", nil).Body }
		plant(6)
		await("the instances to be seen", func() bool { return strings.Contains(events(), "Instances are remembered since") })

		tree.Plant(t, "j/extension/left/"+node(4)+" = x")
		for n := range 5 {
			for _, parent := range []string{"/instances/", "/extension/agents/"} {
				if err := tree.Client.Delete(t.Context(), tree.NS.Job("j").Root()+parent+node(n), -1); err != nil {
					t.Fatal(err)
				}
			}
		}
		await("the losses", func() bool { return len(losses()) == 4 })
		if got := losses()[0]; len(got.Jobs) != 1 || got.Jobs[0].JobName != "j" || got.Exit != "lost" || !strings.HasPrefix(got.ServerIP, "10.0.1.") {
			t.Errorf("a loss: %+v", got)
		}
		overview := func(role auth.Role) consoletest.Reply { return b.As(t, role, http.MethodGet, "/", nil) }
		if got := overview(auth.RoleRoot).Text(t, "attention"); !strings.Contains(got, "4 instances were lost") {
			t.Errorf("the overview says %q", got)
		}
		if overview(auth.RoleGuest).Doc(t).Find(`[data-testid="acknowledge"]`).Length() > 0 {
			t.Error("a guest can acknowledge losses")
		}
		if why := b.Call(t, http.MethodGet, "/api/jobs/j/explain", "").Body; strings.Count(why, "INSTANCE_LOST") != 4 || strings.Contains(why, node(4)+" was lost") {
			t.Errorf("Explain says %s", why)
		}
		chinese := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/explain", nil, func(r *http.Request) { r.Header.Set("Accept-Language", "zh") }).Body
		if !strings.Contains(chinese, node(0)+" 于 ") {
			t.Error("Explain does not name them in Chinese")
		}

		plant(0)
		await("one to return", func() bool { return len(losses()) == 3 })
		action, _ := overview(auth.RoleRoot).Doc(t).Find(`[data-testid="acknowledge"]`).First().Closest("form").Attr("action")
		location, page := b.Follow(t, action, url.Values{})
		if location != "/" || page.Text(t, "flash") != "1 loss was acknowledged." || len(losses()) != 2 {
			t.Errorf("%s leads to %s, which says %q", action, location, page.Text(t, "flash"))
		}
		if r := b.LastRecord(t); r.Action != "POST /losses/acknowledge" || !strings.Contains(r.Target+r.Detail, "10.0.1.") {
			t.Errorf("the audit has %+v", r)
		}
		b.Call(t, http.MethodPost, "/api/losses/acknowledge", fmt.Sprintf(`{"instances":[%q,%q,%q]}`, node(1), node(2), node(3)))
		if got := losses(); len(got) > 0 {
			t.Errorf("after all were acknowledged: %+v", got)
		}
	})
}

// TestW29RunsAndFacetsKnowTheLoss: an instance is lost during a run, and its shard hasn't begun
// again. The run, the lists of runs and executions, their facets and filters, REST, the export and
// Explain at that time call it lost, as the other pages do; what ran on an instance that stopped in
// an orderly way, or came back, goes on.
func TestW29RunsAndFacetsKnowTheLoss(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		tree := treetest.New(t, srv.Addr)
		for _, job := range []string{"j", "k"} {
			tree.Plant(t, consoletest.PlantedJob(job, fmt.Sprintf(consoletest.PlainConfig, job)))
		}
		b := consoletest.New(t, func(o *app.Options) {
			reader := statistics.NewReader(tree.Registry())
			o.Jobs, o.Operator, o.Instances = reader, lifecycle.NewOperator(tree.Registry()), reader
		})
		b.History.Rows = nil
		node := func(n int) string { return fmt.Sprintf("10.0.1.%d@-@1", n) }
		plant := func(job string, n int) {
			tree.Plant(t, fmt.Sprintf("%[3]s/instances/%[1]s [E] = %[2]q\n%[3]s/extension/agents/%[1]s [E] = go", node(n), "jobInstanceId: "+node(n)+"\nserverIp: 10.0.1."+fmt.Sprint(n)+"\n", job))
		}
		runs := func(job string, n int) {
			b.History.Add(tracing.Execution{ID: fmt.Sprint(job, n), JobName: job, TaskID: jobtree.TaskID(job, []int{0}, node(n), ""), IP: "10.0.1." + fmt.Sprint(n),
				RunID: fmt.Sprint("R", n), StartTime: consoletest.Noon.Add(-time.Minute)})
		}
		for n := range 4 {
			plant("j", n)
			runs("j", n)
		}
		plant("k", 0)
		plant("k", 1)
		runs("k", 1)
		defer keepInstances(t, b)()
		await := func(what string, ok func() bool) {
			t.Helper()
			waittest.Until(t, what, func() bool {
				b.Registry.Announce(statistics.News{Job: "j"})
				return ok()
			})
		}
		page := func(path string) string { return b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Body }
		await("the instances to be seen", func() bool { return strings.Contains(page("/jobs/j/activity"), "Instances are remembered since") })
		tree.Plant(t, "j/extension/left/"+node(2)+" = x")
		for n := 1; n < 4; n++ {
			for _, parent := range []string{"/extension/agents/", "/instances/"} {
				if err := tree.Client.Delete(t.Context(), tree.NS.Job("j").Root()+parent+node(n), -1); err != nil {
					t.Fatal(err)
				}
			}
		}
		await("the instances to leave", func() bool { return strings.Count(page("/jobs/j/activity"), node(3)+" left at ") > 0 })
		plant("j", 3)
		await("one to come back", func() bool { return strings.Contains(page("/jobs/j/activity"), node(3)+" joined") })

		state := func() string {
			var job struct{ Health string }
			b.Call(t, http.MethodGet, "/api/jobs/k", "").Into(t, &job)
			return job.Health
		}
		if got := state(); got != "RUNNING" {
			t.Errorf("the job is %s during its run", got)
		}
		for _, parent := range []string{"/extension/agents/", "/instances/"} {
			if err := tree.Client.Delete(t.Context(), tree.NS.Job("k").Root()+parent+node(1), -1); err != nil {
				t.Fatal(err)
			}
		}
		waittest.Until(t, "the job to be FAILING", func() bool {
			b.Registry.Announce(statistics.News{Job: "k"})
			return state() == "FAILING"
		})
		if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/k/explain", nil).Doc(t).Find(`[data-testid="remedy"]`).First().AttrOr("href", ""); got != "/runs?job=k&state=lost" {
			t.Errorf("Explain leads to %q", got)
		}

		get := func(path string) consoletest.Reply { return b.Call(t, http.MethodGet, path, "") }
		for path, want := range map[string]string{
			"/api/jobs/j/runs?state=lost": "R1", "/api/jobs/j/runs?state=lost&limit=2": "R1", "/api/jobs/j/runs?state=running": "R0 R2 R3", "/api/jobs/j/runs?state=failed": "",
		} {
			var list struct{ Rows []struct{ ID, State string } }
			get(path).Into(t, &list)
			var got []string
			for _, r := range list.Rows {
				got = append(got, r.ID)
			}
			if slices.Sort(got); strings.Join(got, " ") != want {
				t.Errorf("GET %s has %q, want %q", path, got, want)
			}
		}
		for state, want := range map[string]int{"": 4, "running": 3, "lost": 1} {
			var list struct{ Total int }
			if get("/api/event-trace/execution?jobName=j&state="+state).Into(t, &list); list.Total != want {
				t.Errorf("%d executions with the state %q, want %d", list.Total, state, want)
			}
		}
		for path, want := range map[string]string{
			"/jobs/j/runs/R1": `[data-testid="run-state"]:contains("Lost")`, "/jobs/j/runs/R0": `[data-testid="run-state"]:contains("Running")`,
			"/jobs/j/runs/R2": `[data-testid="run-state"]:contains("Running")`, "/jobs/j/runs/R3": `[data-testid="run-state"]:contains("Running")`,
			"/executions?job=j&state=lost": `tr:contains("10.0.1.1")`, "/jobs/j/explain?at=2026-11-21T11:59:07": `[data-testid="past"]`,
		} {
			if b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t).Find(want).Length() == 0 {
				t.Errorf("%s has no %s", path, want)
			}
		}
		if got := page("/executions?job=j&state=running"); strings.Contains(got, "10.0.1.1") || !strings.Contains(got, "10.0.1.2") {
			t.Error("the running executions have the lost one, or not the others")
		}
		for state, want := range map[string]string{"": "Running 3 Lost 1", "lost": "Lost 1", "running": "Running 3"} {
			facet := consoletest.Words(b.As(t, auth.RoleRoot, http.MethodGet, "/runs?job=j&state="+state, nil).Doc(t).Find(`[data-testid="facets"]`))
			if !strings.Contains(facet, want) {
				t.Errorf("with the state %q the facets are %q, want %q", state, facet, want)
			}
		}
		if got := get("/api/runs/export?format=csv").Body; !strings.Contains(got, ",R1,false,lost,") {
			t.Errorf("the export has %s", got)
		}
	})
}

// TestW29StoppedDuringARun: a stopped process ends without the end of its run on record. The run
// goes on as long as its running marker is there. Afterwards the run page, REST, the state of the job and
// Explain of that time call it lost.
func TestW29StoppedDuringARun(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		tree := treetest.New(t, srv.Addr)
		tree.Plant(t, consoletest.PlantedJob("j", fmt.Sprintf(consoletest.PlainConfig, "j")))
		b := consoletest.New(t, func(o *app.Options) {
			reader := statistics.NewReader(tree.Registry())
			o.Jobs, o.Operator, o.Instances = reader, lifecycle.NewOperator(tree.Registry()), reader
		})
		const node, other = "10.0.1.1@-@1", "10.0.1.2@-@1"
		for _, id := range []string{node, other} {
			tree.Plant(t, fmt.Sprintf("j/instances/%[1]s [E] = %[2]q\nj/extension/agents/%[1]s [E] = go", id, "jobInstanceId: "+id+"\nserverIp: "+jobtree.InstanceIP(id)+"\n"))
		}
		tree.Plant(t, "j/sharding/0/instance = "+node+"\nj/sharding/0/running [E] = "+node)
		b.History.Rows = nil
		b.History.Add(tracing.Execution{ID: "e", JobName: "j", TaskID: jobtree.TaskID("j", []int{0}, node, ""), IP: "10.0.1.1", RunID: "R1",
			StartTime: consoletest.Noon.Add(-time.Minute), ScheduledAt: consoletest.Noon.Add(-time.Minute), Trigger: tracing.TriggerSchedule})
		defer keepInstances(t, b)()
		await := func(what string, ok func() bool) {
			t.Helper()
			waittest.Until(t, what, func() bool {
				b.Registry.Announce(statistics.News{Job: "j"})
				return ok()
			})
		}
		activity := func() string { return b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/activity", nil).Body }
		shown := func() string {
			var list struct{ Rows []struct{ State string } }
			b.Call(t, http.MethodGet, "/api/jobs/j/runs", "").Into(t, &list)
			var job struct{ Health string }
			b.Call(t, http.MethodGet, "/api/jobs/j", "").Into(t, &job)
			var why struct{ Past struct{ Verdict string } }
			b.Call(t, http.MethodGet, "/api/jobs/j/explain?at=2026-11-21T11:59:07Z", "").Into(t, &why)
			page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/runs/R1", nil).Doc(t).Find(`[data-testid="run-state"]`).First()
			return strings.Join([]string{list.Rows[0].State, job.Health, why.Past.Verdict, strings.TrimSpace(page.Text())}, " ")
		}
		remove := func(path string) {
			if err := tree.Client.Delete(t.Context(), tree.NS.Job("j").Root()+path, -1); err != nil {
				t.Fatal(err)
			}
		}
		await("the instances to be seen", func() bool { return strings.Contains(activity(), "Instances are remembered since") })
		tree.Plant(t, "j/extension/left/"+node+" = x")
		remove("/extension/agents/" + node)
		remove("/instances/" + node)
		await("the instance to leave", func() bool { return strings.Contains(activity(), node+" left at ") })
		b.Pass(5 * time.Minute)
		if got := shown(); got != "running PARTIAL running Running" {
			t.Errorf("while it drains: %s", got)
		}
		remove("/sharding/0/running")
		await("the run to be lost", func() bool {
			b.Pass(time.Minute)
			return shown() == "lost FAILING lost Lost"
		})
	})
}
