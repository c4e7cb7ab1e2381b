package explain

import (
	"fmt"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/past"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// maxFindingItems is how many shards a finding lists.
const maxFindingItems = 100

// explain answers why a job did not, or would not, run.
func (s service) explain(c *gin.Context) error {
	var at time.Time
	if given := c.Query("at"); given != "" {
		var ok bool
		if at, ok = query.ParseInstant(given); !ok || at.Year() < 1990 || at.After(s.Now()) {
			return app.Invalid(fmt.Sprintf("at %q is not a time that has passed.", view.Clip(given, 40)), "Write 2006-01-02T15:04 in UTC, or with a zone as in RFC 3339.")
		}
	}
	why, err := s.readExplanation(c)
	if err != nil {
		return err
	}
	body := explanationJSON(why)
	body.FailAlike = why.Alike
	if !at.IsZero() {
		_, p, err := s.readPast(c, i18n.English, at)
		if err != nil {
			return err
		}
		body.Past = pastJSON(p)
	}
	return app.Answer(c, body, nil)
}

func pastJSON(p past.Past) *api.Past {
	body := &api.Past{At: view.IsoTime(p.At), Verdict: string(p.Verdict), Statement: p.Heading, FireTime: app.OptionalTime(p.Fire),
		Reasons: append([]string{}, p.Reasons...), Unknown: append([]string{}, p.Unknown...)}
	if p.Run != nil {
		body.RunID = p.Run.ID
	}
	return body
}

func explanationJSON(why explained) api.Explanation {
	shown := why.Why
	body := api.Explanation{
		JobName: shown.Job, At: app.OptionalTime(shown.At), Health: string(why.State), Summary: why.Summary, Obstacle: shown.Obstacle(), Blocked: shown.Blocked(),
		Findings: []api.Finding{}, Checks: []api.Rule{}, Cron: shown.Cron, TimeZone: shown.Zone, ZoneAssumed: shown.ZoneAssumed,
	}
	if next := why.NextFire; !next.IsZero() {
		body.NextFireTime, body.NextFireLocal = view.IsoTime(next), next.Format(time.RFC3339)
	}
	for _, f := range why.Findings {
		body.Findings = append(body.Findings, api.Finding{
			Code: string(f.Code), Effect: string(f.Effect), Sentence: f.Sentence, Advice: f.Advice,
			Node: f.Node, Value: f.Value, Field: f.Field, Since: app.OptionalTime(f.Since),
			Server: f.Server, Instance: f.Instance, Obstacle: f.Obstacle,
			Items: f.Items[:min(maxFindingItems, len(f.Items))], ItemCount: len(f.Items),
		})
	}
	for _, check := range why.Checks {
		body.Checks = append(body.Checks, api.Rule{Code: string(check.Code), Sentence: check.Sentence, Node: check.Node, Value: check.Value})
	}
	return body
}
