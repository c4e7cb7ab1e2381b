package pages

import (
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// originWords are where requests come from, as the filter offers them.
var originWords = map[string]func(i18n.Lang) string{
	"code": i18n.Lang.RequestOriginCode, "page": i18n.Lang.RequestOriginPage, "api": i18n.Lang.RequestOriginApi, "cli": i18n.Lang.RequestOriginCli,
	"again": i18n.Lang.RequestOriginAgain, "backfill": i18n.Lang.RequestOriginBackfill, "retry": i18n.Lang.RequestOriginRetry,
}

// requestedFilter is the form of the list, filled with what the address asks for. It keeps the
// state, which the views choose.
func requestedFilter(l i18n.Lang, job string, f query.Requested) jobs.RequestedFilter {
	without := query.Requested{State: f.State}
	form := jobs.RequestedFilter{
		Href: console.RequestedPath(job), State: f.State, Key: f.Key, From: query.InputTime(f.From), To: query.InputTime(f.To),
		Origins: []ui.Choice{{Value: "", Label: l.RequestFilterAny(), Selected: f.Origin == ""}},
		Active:  len(f.Values()) > len(without.Values()), ClearHref: query.WithQuery(console.RequestedPath(job), without.Values()),
	}
	for _, name := range query.RequestedOrigins {
		form.Origins = append(form.Origins, ui.Choice{Value: name, Label: originWords[name](l), Selected: name == f.Origin})
	}
	return form
}
