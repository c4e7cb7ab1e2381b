package rest

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// explanationBody says why a job does not run.
type explanationBody struct {
	JobName string `json:"jobName"`
	At      string `json:"at"`
	Summary string `json:"summary"`
	// Obstacle and Blocked tell whether a part of the job is held up, and
	// whether all of it is.
	Obstacle     bool          `json:"obstacle"`
	Blocked      bool          `json:"blocked"`
	Findings     []findingBody `json:"findings"`
	Cron         string        `json:"cron,omitempty"`
	TimeZone     string        `json:"timeZone,omitempty"`
	NextFireTime string        `json:"nextFireTime,omitempty"`
	// NextFireLocal is the same instant as the clock in the job's zone shows it.
	NextFireLocal string `json:"nextFireLocal,omitempty"`
	ZoneAssumed   bool   `json:"zoneAssumed,omitempty"`
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
	// Items are the first of the shards concerned, ItemCount is how many there are.
	Items     []int `json:"items,omitempty"`
	ItemCount int   `json:"itemCount,omitempty"`
}

// maxFindingItems is how many shards a finding lists.
const maxFindingItems = 100

// explain answers why a job did not, or would not, run.
func (s *API) explain(c *gin.Context) {
	why, _, err := s.ReadExplanation(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, explanationJSON(why))
}

func explanationJSON(why *statistics.Explanation) explanationBody {
	body := explanationBody{
		JobName: why.Job, At: optionalTime(why.At), Summary: why.Summary, Obstacle: why.Obstacle(), Blocked: why.Blocked(),
		Findings: []findingBody{}, Cron: why.Cron, TimeZone: why.Zone, ZoneAssumed: why.ZoneAssumed,
	}
	if !why.NextFire.IsZero() {
		body.NextFireTime = view.IsoTime(why.NextFire)
		body.NextFireLocal = why.NextFire.Format(time.RFC3339)
	}
	for _, f := range why.Findings {
		body.Findings = append(body.Findings, findingBody{
			Code: string(f.Code), Effect: string(f.Effect), Sentence: f.Sentence, Advice: f.Advice,
			Node: f.Node, Value: f.Value, Field: f.Field, Since: optionalTime(f.Since),
			Server: f.Server, Instance: f.Instance,
			Items: f.Items[:min(maxFindingItems, len(f.Items))], ItemCount: len(f.Items),
		})
	}
	return body
}
