package rest

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/past"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// explanationBody says why a job does not run.
type explanationBody struct {
	JobName string `json:"jobName"`
	At      string `json:"at"`
	// Health is the state that lists show.
	Health  string `json:"health"`
	Summary string `json:"summary"`
	// Obstacle and Blocked tell whether a part of the job is held up, and
	// whether all of it is.
	Obstacle bool          `json:"obstacle"`
	Blocked  bool          `json:"blocked"`
	Findings []findingBody `json:"findings"`
	// Checks are the rules that were checked and hold.
	Checks []ruleBody `json:"checks"`
	// FailAlike is how many other jobs fail by the same cause.
	FailAlike    int    `json:"failAlike,omitempty"`
	Cron         string `json:"cron,omitempty"`
	TimeZone     string `json:"timeZone,omitempty"`
	NextFireTime string `json:"nextFireTime,omitempty"`
	// NextFireLocal is the same instant as the clock in the job's zone shows it.
	NextFireLocal string `json:"nextFireLocal,omitempty"`
	ZoneAssumed   bool   `json:"zoneAssumed,omitempty"`
	// Past is what the job did at the time that was asked for.
	Past *pastBody `json:"past,omitempty"`
}

// pastBody is what a job did at a time that has passed.
type pastBody struct {
	At        string `json:"at"`
	Verdict   string `json:"verdict"`
	Statement string `json:"statement"`
	FireTime  string `json:"fireTime,omitempty"`
	RunID     string `json:"runId,omitempty"`
	// Reasons are why it did not run, as far as is known, Unknown what is not.
	Reasons []string `json:"reasons"`
	Unknown []string `json:"unknown"`
}

type findingBody struct {
	Code     string `json:"code"`
	Effect   string `json:"effect"`
	Sentence string `json:"sentence"`
	Advice   string `json:"advice,omitempty"`
	Node     string `json:"node"`
	Value    string `json:"value,omitempty"`
	Field    string `json:"field,omitempty"`
	Since    string `json:"since,omitempty"`
	Server   string `json:"serverIp,omitempty"`
	Instance string `json:"instanceId,omitempty"`
	// Obstacle is the agent's own code, of AGENT_OBSTACLE; value has its words.
	Obstacle string `json:"obstacle,omitempty"`
	// Items are the first of the shards concerned, ItemCount is how many there are.
	Items     []int `json:"items,omitempty"`
	ItemCount int   `json:"itemCount,omitempty"`
}

// ruleBody is a rule that holds.
type ruleBody struct {
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
	Node     string `json:"node"`
	Value    string `json:"value,omitempty"`
}

// maxFindingItems is how many shards a finding lists.
const maxFindingItems = 100

// explain answers why a job did not, or would not, run.
func (s *API) explain(c *gin.Context) {
	var at time.Time
	if given := c.Query("at"); given != "" {
		var ok bool
		if at, ok = query.ParseInstant(given); !ok || at.Year() < 1990 || at.After(s.Now()) {
			s.Fail(c, console.Invalid(fmt.Sprintf("at %q is not a time that has passed.", view.Clip(given, 40)), "Write 2006-01-02T15:04 in UTC, or with a zone as in RFC 3339."))
			return
		}
	}
	why, err := s.ReadExplanation(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := explanationJSON(why)
	body.FailAlike = why.Alike
	if !at.IsZero() {
		_, p, err := s.ReadPast(c, i18n.English, at)
		if err != nil {
			s.Fail(c, err)
			return
		}
		body.Past = pastJSON(p)
	}
	writeModel(c, http.StatusOK, body)
}

func pastJSON(p past.Past) *pastBody {
	body := &pastBody{At: view.IsoTime(p.At), Verdict: string(p.Verdict), Statement: p.Heading, FireTime: optionalTime(p.Fire),
		Reasons: append([]string{}, p.Reasons...), Unknown: append([]string{}, p.Unknown...)}
	if p.Run != nil {
		body.RunID = p.Run.ID
	}
	return body
}

func explanationJSON(why console.Explained) explanationBody {
	shown := why.Why
	body := explanationBody{
		JobName: shown.Job, At: optionalTime(shown.At), Health: string(why.State), Summary: why.Summary, Obstacle: shown.Obstacle(), Blocked: shown.Blocked(),
		Findings: []findingBody{}, Checks: []ruleBody{}, Cron: shown.Cron, TimeZone: shown.Zone, ZoneAssumed: shown.ZoneAssumed,
	}
	if !shown.NextFire.IsZero() {
		body.NextFireTime = view.IsoTime(shown.NextFire)
		body.NextFireLocal = shown.NextFire.Format(time.RFC3339)
	}
	for _, f := range why.Findings {
		body.Findings = append(body.Findings, findingBody{
			Code: string(f.Code), Effect: string(f.Effect), Sentence: f.Sentence, Advice: f.Advice,
			Node: f.Node, Value: f.Value, Field: f.Field, Since: optionalTime(f.Since),
			Server: f.Server, Instance: f.Instance, Obstacle: f.Obstacle,
			Items: f.Items[:min(maxFindingItems, len(f.Items))], ItemCount: len(f.Items),
		})
	}
	for _, check := range why.Checks {
		body.Checks = append(body.Checks, ruleBody{Code: string(check.Code), Sentence: check.Sentence, Node: check.Node, Value: check.Value})
	}
	return body
}
