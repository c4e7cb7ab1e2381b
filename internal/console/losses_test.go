package console_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

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
		b := consoletest.New(t, func(o *console.Options) {
			reader := statistics.NewReader(tree.Registry())
			o.Jobs, o.Operator, o.Instances = reader, lifecycle.NewOperator(tree.Registry()), reader
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.Console.KeepInstances(ctx)
		}()
		defer func() {
			cancel()
			<-done
		}()
		type loss struct{ InstanceID, ServerIP, JobName, At, Exit string }
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
		if got := losses()[0]; got.JobName != "j" || got.Exit != "lost" || !strings.HasPrefix(got.ServerIP, "10.0.1.") {
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
