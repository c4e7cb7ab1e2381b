package rest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW11ZoneOverREST: the name of a zone is checked, refused next to agents of Java, and
// shown as the job's time zone.
func TestW11ZoneOverREST(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j")+consoletest.Plain("java"), func(t *testing.T, b consoletest.TreeBench) {
		for body, want := range map[string]string{
			`{"jobName":"j","timeZone":"GMT+1","props":{"schedule.zone":"Europe/Berlin"}}`: `an empty timeZone, which is "GMT+1"`,
			`{"jobName":"j","timeZone":"","props":{"schedule.zone":"Mars/Olympus"}}`:       "an IANA name such as Europe/Berlin",
			`{"jobName":"java","timeZone":"","props":{"schedule.zone":"Europe/Berlin"}}`:   "Java agents serve the job",
		} {
			r := b.Call(t, http.MethodPut, configRoute, body)
			consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
			var answer api.ErrorBody
			r.Into(t, &answer)
			if len(answer.Fields) != 1 || answer.Fields[0].Field != "props.schedule.zone" || !strings.Contains(r.Body, strings.ReplaceAll(want, `"`, `\"`)) {
				t.Errorf("%s: %s", body, r.Body)
			}
		}
		const berlin = `{"jobName":"j","cron":"0 30 2 * * ? 2099","timeZone":"","props":{"schedule.zone":"Europe/Berlin","cron.clock.change":"once"}}`
		var preview api.ConfigPreview
		b.Call(t, http.MethodPost, "/api/jobs/j/config/preview", berlin).Into(t, &preview)
		if s := preview.Schedule; s.TimeZone != "Europe/Berlin" || len(s.Fires) == 0 || !strings.HasPrefix(s.Fires[0], "2099-01-01T01:30:00") {
			t.Errorf("preview %+v", s)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, configRoute, berlin), http.StatusNoContent)
		var job api.JobDetail
		b.Call(t, http.MethodGet, "/api/jobs/j", "").Into(t, &job)
		if job.TimeZone != "Europe/Berlin" || !strings.HasPrefix(job.NextFireTime, "2099-01-01T01:30:00") {
			t.Errorf("%q fires at %q", job.TimeZone, job.NextFireTime)
		}
	})
}
