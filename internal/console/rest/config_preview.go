package rest

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/cronwords"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/schedule"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// previewBody says what a change of a configuration would do.
type previewBody struct {
	JobName string `json:"jobName"`
	// Revision is that of what is stored: what PUT takes as If-Match.
	Revision string   `json:"revision"`
	Changed  []string `json:"changed"`
	// Document is what would be stored.
	Document string       `json:"document"`
	Effects  []effectBody `json:"effects"`
	Schedule scheduleBody `json:"schedule"`
}

type effectBody struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// scheduleBody judges the schedule. Cron of a finding is a better one.
type scheduleBody struct {
	Cron     string            `json:"cron"`
	TimeZone string            `json:"timeZone"`
	Words    string            `json:"words,omitempty"`
	Fires    []string          `json:"nextFireTimes"`
	Findings []scheduleFinding `json:"findings"`
}

type scheduleFinding struct {
	Code string `json:"code"`
	Text string `json:"text"`
	Cron string `json:"cron,omitempty"`
}

// previewConfig answers what a PUT of the same body would do, and stores nothing.
func (s *API) previewConfig(c *gin.Context) {
	name, err := console.JobName(c)
	var body map[string]json.RawMessage
	if err == nil {
		err = console.ReadJSON(c, &body)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	stored, err := s.RegistryOf(c).Operator.StoredConfig(ctx, name)
	if err != nil {
		s.Fail(c, s.configProblem(c, name, stored, err))
		return
	}
	after := stored.Config.Clone()
	err = errors.Join(editor.Apply(after, body), editor.Unmask(stored.Config, after))
	if err = errors.Join(err, lifecycle.ValidateChange(stored.Config, after)); err == nil {
		err = s.MayChange(stored.Config, after)
	} else {
		err = console.InvalidConfig(name, err)
	}
	text, encodeErr := after.Encode()
	if err == nil && encodeErr != nil {
		err = console.Invalid("The configuration cannot be written: "+view.Clip(encodeErr.Error(), 200)+".", "Nothing was stored.")
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	answer := previewBody{
		JobName: name, Revision: stored.Revision(), Changed: append([]string{}, editor.Changed(stored.Config, after)...),
		Document: string(text), Effects: []effectBody{}, Schedule: s.scheduleJSON(c, name, after),
	}
	for _, e := range editor.Effects(stored.Config, after, s.EffectFacts(c, name, stored.Config, after)) {
		_, words := console.EffectWords(i18n.English, e)
		answer.Effects = append(answer.Effects, effectBody{string(e.Code), words})
	}
	console.WriteJSON(c, http.StatusOK, answer)
}

// scheduleJSON judges the schedule of a configuration.
func (s *API) scheduleJSON(c *gin.Context, name string, config *jobconfig.Config) scheduleBody {
	rules := quartz.RulesOf(name, config.Props)
	r := s.LookAtSchedule(c, schedule.Question{Job: name, Cron: config.Cron, TimeZone: config.TimeZone, Rules: rules})
	body := scheduleBody{Cron: config.Cron, TimeZone: cmp.Or(rules.Zone, config.TimeZone), Fires: []string{}, Findings: []scheduleFinding{}}
	if expr, err := quartz.Parse(config.Cron); err == nil {
		body.Words, _ = cronwords.Words(i18n.English, expr)
	}
	for _, at := range r.Fires {
		body.Fires = append(body.Fires, view.IsoTime(at))
	}
	for _, v := range console.Verdicts(i18n.English, r, 0, config.Misfire) {
		body.Findings = append(body.Findings, scheduleFinding{Code: v.Code, Text: v.Title + " " + v.Text, Cron: v.Use})
	}
	return body
}
