// Package servers is the part of the console about servers: their REST routes, the list of servers
// with its clean-up, the page of a server, and the actions on a server or on one job of it.
//
//	servers.go   routes, and the answers of the REST interface
//	server.go    a server with its jobs, and what ran there, read from registry and history
//	list.go      the list of servers
//	page.go      the page of a server; ran.go draws what ran there
//	actions.go   the actions on a server: words, consequences, question and outcome
//	cleanup.go   the removal of servers that no instance lives on
package servers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

type servers struct{ *app.Console }

// Routes are the REST routes and the pages of servers. [app.New] mounts them.
func Routes(s *app.Console) []app.Route {
	const signedIn, reg, both = app.SignedIn, app.TheRegistry, app.TheRegistry | app.TheHistory
	p := servers{s}
	return slices.Concat([]app.Route{
		app.Get("/api/servers", signedIn, reg, p.get).Documented(app.Operation{
			Summary: "The servers, by address.", Answer: []api.Server{},
		}),
		app.Get("/api/servers/getAllServersBriefInfo", signedIn, reg, p.get).Documented(app.Operation{
			Summary: "The servers, under the name of ElasticJob 3.x.", Answer: []api.Server{},
		}),
		app.Get("/api/servers/count", signedIn, reg, p.getCount).Documented(app.Operation{
			Summary: "The number of servers, never in an envelope.", Answer: 0,
		}),
		app.Get("/api/servers/:ip/jobs", signedIn, reg, p.getJobs).Documented(app.Operation{
			Summary: "The jobs of a server.", Answer: []api.ServerJob{}, Refusals: []int{404},
		}),
		app.Post("/api/servers/:ip/:port/jobs/:job/dump", app.Operates, reg, p.postDump).Documented(app.Operation{
			Summary: "The state of a job in a process, in plain text, at most 8 MiB, from its dump service. The address must belong to a live instance of the job, and 403 address_not_allowed means that --allow-hosts doesn't have it. 504 without an answer in 5 seconds.",
			Answer:  "text", Refusals: []int{404, 422, 504},
		}),
		app.Post("/api/servers/:ip/jobs/:job/trigger", app.TriggerServer.Needs, reg, s.Act(app.TriggerServer)).
			Documented(app.AnAction("Run the job once, now, on one server.")),

		app.Get("/servers", signedIn, reg, p.listPage).Asks("q", "state", "page"),
		app.Get(cleanUpRoute, app.Configures, both, p.cleanUpPage).Asks("ip", "selected"),
		app.Post(cleanUpRoute, app.Configures, both, p.cleanUpFromPage).Resumes(),
		app.Get("/servers/:ip", signedIn, both, p.page).Asks("at", "span", "page"),
	}, p.actionRoutes("/servers/:ip", "every job that lists it"), p.actionRoutes("/servers/:ip/jobs/:job", "one job"))
}

// actionRoutes are the actions on a server, or on one job of it.
func (s servers) actionRoutes(path, jobs string) (list []app.Route) {
	const reg = app.TheRegistry
	add := func(route func(string, app.Access, app.Touches, func(*gin.Context) error) app.Route, end string, o app.Action, doc app.Operation) {
		list = append(list, route("/api"+path+end, o.Needs, reg, s.Act(o)).Documented(doc))
	}
	post, remove := app.Post[func(*gin.Context) error], app.Delete[func(*gin.Context) error]
	enable := "Put the server into service for " + jobs
	add(post, "/disable", app.DisableServer, app.AnAction("Take the server out of service for "+jobs+"."))
	add(remove, "/disable", app.EnableServer, app.AnAction(enable+", as ElasticJob 2.x spells it."))
	add(post, "/enable", app.EnableServer, app.AnAction(enable+"."))
	add(post, "/shutdown", app.ShutdownServer, app.AnAction("End "+jobs+" in the processes of the server."))
	add(remove, "", app.RemoveServer, app.Operation{
		Summary:  "Remove the server from " + jobs + ". Its live instances are removed as well, and stop.",
		Query:    [][2]string{{"offline", "true: only where no instance of it is live, else 409."}},
		Refusals: []int{404, 409, 422},
	})
	for _, a := range actions {
		list = append(list,
			app.Get(path+"/"+a.Verb, a.Needs, reg, a.askPage(s)).Asks(),
			app.Post(path+"/"+a.Verb, a.Needs, reg, a.fromPage(s)).Resumes())
	}
	return list
}

// get answers with all servers, in the order of their addresses.
func (s servers) get(c *gin.Context) error {
	all, err := s.ReadServers(c)
	rows := []api.Server{}
	for _, srv := range slices.SortedFunc(slices.Values(all), byIP) {
		rows = append(rows, api.Server{
			ServerIP: srv.IP, InstanceIDs: append([]string{}, srv.InstanceIDs...), JobNames: append([]string{}, srv.JobNames...),
			Instances: srv.Instances, Jobs: srv.Jobs, DisabledJobs: srv.DisabledJobs,
		})
	}
	return app.Answer(c, rows, err)
}

func byIP(a, b statistics.Server) int { return view.CompareIPs(a.IP, b.IP) }

// getCount answers with the number of servers.
func (s servers) getCount(c *gin.Context) error {
	all, err := s.ReadServers(c)
	return app.Answer(c, len(all), err)
}

// getJobs answers with the jobs of a server.
func (s servers) getJobs(c *gin.Context) error {
	jobs, err := s.readJobs(c)
	rows := []api.ServerJob{}
	for _, j := range jobs {
		status := statistics.StatusOK
		if !j.Enabled {
			status = statistics.StatusDisabled
		}
		rows = append(rows, api.ServerJob{
			JobName: j.Name, Status: string(status), Description: j.Description, Cron: jobtree.Shown(j.Cron),
			InstanceCount: len(j.Instances), ShardingTotalCount: j.Shards, Instances: append([]string{}, j.Instances...),
		})
	}
	return app.Answer(c, rows, err)
}

// postDump answers with the state of a job in a process, in plain text. The address must belong to a
// live instance of the job.
func (s servers) postDump(c *gin.Context) error {
	t, err := app.TargetOf(c)
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(c.Param("port"))
	if err != nil {
		return app.Invalid(
			fmt.Sprintf("%q is not a port.", view.Clip(c.Param("port"), 20)),
			fmt.Sprintf("Give the port of the dump service, %d to 65535.", lifecycle.MinDumpPort),
		)
	}
	s.Note(c, slog.String("order", "dump"), slog.String("target", t.String()), slog.Int("port", port))
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.Options().ActionTimeout)
	defer cancel()
	text, err := s.RegistryOf(c).Operator.Dump(ctx, t.Job, t.IP, port)
	switch {
	case errors.Is(err, outbound.ErrForbidden):
		return app.AddressForbidden(errors.New(strings.TrimSuffix(app.Because(err), ".")))
	case errors.Is(err, lifecycle.ErrNoAnswer):
		return &app.Problem{
			Kind: app.KindNoAnswer, Code: "no_answer", Cause: err,
			Message: fmt.Sprintf("There is no dump from %s: %s", t.IP, app.Because(err)),
			Hint:    "The dump service is off unless the process configures it, and then listens on loopback by default.",
		}
	case err != nil:
		return s.ActionProblem(c, app.Action{Verb: "dump"}, t, err)
	case app.Enveloped(c):
		app.WriteJSON(c, http.StatusOK, text)
	default:
		c.String(http.StatusOK, "%s", text)
	}
	return nil
}
