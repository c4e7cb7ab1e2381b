package config

import (
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
)

// configs answers the routes about configurations.
type configs struct{ *app.Console }

const (
	// apiRoute is where configurations are written to.
	apiRoute = "/api/jobs/config"
	// pageRoute is the editor of a job.
	pageRoute = "/jobs/:job/config"

	// maxBody is the size of a node.
	maxBody = 1 << 20
	// maxForm bounds a form: it has the document before and after the change, and the fields.
	maxForm = 6 << 20
)

// Routes are the REST routes and the pages about configurations. [app.New] mounts them.
func Routes(s *app.Console) []app.Route {
	const (
		signedIn, configures = app.SignedIn, app.Configures
		reg, hist, own       = app.TheRegistry, app.TheHistory, app.TheSettings
	)
	at := configs{s}
	reason := [2]string{"reason", "Why, of at most 200 characters: the audit and the version have it."}
	return []app.Route{
		app.Get(apiRoute+"/:job", signedIn, reg, at.get).Documented(app.Operation{
			Summary: "The configuration of a job: JobSettings of 2.x or the settings of 3.x. The ETag names its revision; guests see no secrets.",
			Answer:  editor.Body{}, Refusals: []int{404, 409},
		}),
		app.Get("/api/jobs/:job/versions", signedIn, own, at.getVersions).Documented(app.Operation{
			Summary: "The configurations of a job that were saved in the console, the newest first, at most 100; also of a job that was removed. Guests see no secrets.",
			Answer:  []api.ConfigVersion{},
		}),
		app.Post("/api/jobs/:job/config/preview", configures, reg, at.postPreview).WithBody(maxBody).Preview().Documented(app.Operation{
			Summary: "The consequences of a PUT with the same body: the keys that change, the document, the effects, and remarks about the schedule. Nothing is stored.",
			Request: editor.Body{}, Example: `{"cron":"0 0/5 * * * ?"}`,
			Answer: api.ConfigPreview{}, Refusals: []int{400, 404, 409, 413, 422},
		}),
		app.Post(apiRoute, configures, reg, at.post).WithBody(maxBody).PerJob().Documented(app.Operation{
			Summary: "Create a job that isn't registered yet. Instances that register take its configuration over, unless their own has overwrite. Until then it has no instance. Keys that the body doesn't have get ElasticJob's defaults.",
			Query:   [][2]string{{"class", "The class that instances register with; absent: theirs. Java agents up to 3.0.2 refuse a job without."}, reason},
			Request: editor.Body{}, Example: `{"jobName":"reports","cron":"0 0 6 * * ?","shardingTotalCount":2}`,
			Answer: api.CreatedJob{}, Status: 201, Refusals: []int{400, 409, 413, 422},
		}),
		app.Put(apiRoute, configures, reg, at.put).WithBody(maxBody).PerJob().Documented(app.Operation{
			Summary: "Change the configuration of a job. Keys that the body doesn't have stay as they are. With If-Match it changes only that revision; the answer 412 has the stored configuration. 422 names every wrong field; 403 command_changes_off names the fields with commands and addresses of agents, which need --allow-command-changes.",
			Query:   [][2]string{reason}, Headers: [][2]string{{"If-Match", "The ETag the change is based on."}},
			Request: editor.Body{}, Example: `{"jobName":"invoices","cron":"0 0/5 * * * ?","description":"Send the invoices"}`,
			Refusals: []int{400, 404, 409, 412, 413, 422},
		}),

		app.Get(pageui.NewJobRoute, configures, reg, at.newPage).Asks("from", "view"),
		app.Post(pageui.NewJobRoute+"/preview", configures, reg, at.previewPage).WithBody(maxForm).Preview().Resumes(),
		app.Post(pageui.NewJobRoute, configures, reg, at.saveFromPage).WithBody(maxForm).Resumes(),
		app.Get(pageRoute, signedIn, reg|hist, at.page).Asks("view", "version"),
		app.Get(pageRoute+"/versions", signedIn, reg|own, at.versionsPage).Asks(),
		app.Post(pageRoute+"/preview", configures, reg, at.previewPage).WithBody(maxForm).Preview().Resumes(),
		app.Post(pageRoute, configures, reg, at.saveFromPage).WithBody(maxForm).Resumes(),
	}
}
