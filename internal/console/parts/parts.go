// Package parts lists the parts of the console. Each slice of it brings its routes, and a new slice
// needs a line here.
package parts

import (
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/audit"
	"github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/config"
	"github.com/elasticjob-go/elasticjob/internal/console/jobs"
	"github.com/elasticjob-go/elasticjob/internal/console/overview"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
	"github.com/elasticjob-go/elasticjob/internal/console/reference"
	"github.com/elasticjob-go/elasticjob/internal/console/requested"
	"github.com/elasticjob-go/elasticjob/internal/console/rest"
	"github.com/elasticjob-go/elasticjob/internal/console/runs"
	"github.com/elasticjob-go/elasticjob/internal/console/servers"
	"github.com/elasticjob-go/elasticjob/internal/console/settings"
	"github.com/elasticjob-go/elasticjob/internal/console/views"
)

// All are the parts of the console, for [app.New].
func All() []app.Part {
	return []app.Part{
		overview.Routes,
		pages.Routes,
		rest.Routes,
		cloud.Routes,
		config.Routes,
		jobs.Routes,
		settings.Routes,
		requested.Routes,
		runs.Routes,
		audit.Routes,
		servers.Routes,
		views.Routes,
		reference.Routes,
	}
}
