package pages

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestPropertiesWithFieldsOfTheirOwn: what a schedule and runs take has fields with checks
// beside them; what was typed stays when it is refused, all other properties pass as they
// are, and what is stored are properties as before.
func TestPropertiesWithFieldsOfTheirOwn(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","cron":"0 0 * * * ?","timeZone":"GMT","props":{"other":" kept ","run.keep":"7"}}`), http.StatusNoContent)
		page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config", nil)
		form := consoletest.Fields(t, page, "config-form")
		if form.Get("props.run.keep") != "7" || strings.Join(form["prop.key"], "|") != "other||" {
			t.Fatalf("fields %q", form)
		}
		wrong := edited(t, b, map[string]string{
			"props.schedule.from": "2027-01-01T00:00:00Z", "props.schedule.until": "2026-12-31T00:00:00Z", "props.schedule.exclude": "SAT\r\n2026-12-24/2027-01-02",
			"props.run.retries": "101", "props.run.backoff": "soon",
		})
		consoletest.WantStatus(t, wrong, http.StatusUnprocessableEntity)
		for id, want := range map[string]string{
			"error-props.schedule.until": "schedule.until: 2026-12-31T00:00:00Z is not later than schedule.from.",
			"error-props.run.retries":    `run.retries: "101" is not allowed; want a whole number from 0 to 100.`,
			"error-props.run.backoff":    `run.backoff: "soon" is not allowed; want a duration from 0s to 24h.`,
		} {
			if got := wrong.Text(t, id); got != want {
				t.Errorf("%s: %q", id, got)
			}
		}
		typed := consoletest.Fields(t, wrong, "config-form")
		if typed.Get("props.schedule.until") != "2026-12-31T00:00:00Z" || typed.Get("props.run.backoff") != "soon" || !strings.Contains(typed.Get("props.schedule.exclude"), "2026-12-24/2027-01-02") {
			t.Errorf("what was typed was not kept: %q", typed)
		}
		save(t, b, edited(t, b, map[string]string{
			"props.schedule.until": " 2099-01-01T00:00:00Z ", "props.schedule.exclude": "SAT\r\n2026-12-24/2027-01-02", "props.run.overlap": "skip", "props.run.keep": "",
		}))
		if got, want := propsJSON(t, b), `{"other":" kept ","run.overlap":"skip","schedule.exclude":"SAT\n2026-12-24/2027-01-02","schedule.until":"2099-01-01T00:00:00Z"}`; got != want {
			t.Errorf("stored %s, want %s", got, want)
		}
		// A form of another program that has rows alone takes away no property with a field.
		rows := consoletest.Fields(t, b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config", nil), "config-form")
		for name := range rows {
			if strings.HasPrefix(name, "props.") {
				rows.Del(name)
			}
		}
		rows["prop.key"], rows["prop.value"], rows["go"] = []string{"run.lost"}, []string{"fail"}, []string{"review"}
		save(t, b, b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", rows))
		if got, want := propsJSON(t, b), `{"run.lost":"fail","run.overlap":"skip","schedule.exclude":"SAT\n2026-12-24/2027-01-02","schedule.until":"2099-01-01T00:00:00Z"}`; got != want {
			t.Errorf("stored %s, want %s", got, want)
		}
		twice := consoletest.Fields(t, b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config", nil), "config-form")
		twice["prop.key"], twice["prop.value"], twice["go"] = []string{"run.lost"}, []string{"again"}, []string{"review"}
		if got := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", twice).Text(t, "error-props"); !strings.Contains(got, "it has a field of its own") {
			t.Errorf("a property that was typed twice: %q", got)
		}
	})
}

// TestChineseSaysWhatAPropertyTakes: the words beside a field follow the reader.
func TestChineseSaysWhatAPropertyTakes(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		form := consoletest.Fields(t, b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config", nil), "config-form")
		form["props.schedule.exclude"], form["go"] = []string{"someday"}, []string{"review"}
		wrong := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form, consoletest.InChinese)
		if got := wrong.Text(t, "error-props.schedule.exclude"); !strings.Contains(got, "someday") || !strings.Contains(got, "星期（如 SAT）") {
			t.Errorf("%q", got)
		}
	})
}

// propsJSON are the stored properties of job j.
func propsJSON(t *testing.T, b consoletest.TreeBench) string {
	t.Helper()
	config, err := jobconfig.Decode([]byte(b.Node(t, "j/config")))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(config.Props)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestW11ZoneHasAField: a zone's name is typed into a field of its own, and pages show it
// where they show the job's time zone.
func TestW11ZoneHasAField(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		wrong := edited(t, b, map[string]string{"timeZone": "GMT+1", "props.schedule.zone": "Europe/Berlin"})
		consoletest.WantStatus(t, wrong, http.StatusUnprocessableEntity)
		if got, want := wrong.Text(t, "error-props.schedule.zone"), `schedule.zone is "Europe/Berlin" and timeZone is "GMT+1"; set only one of them.`; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		save(t, b, edited(t, b, map[string]string{"timeZone": "", "props.schedule.zone": "Europe/Berlin"}))
		if got, want := propsJSON(t, b), `{"schedule.zone":"Europe/Berlin"}`; got != want {
			t.Errorf("stored %s, want %s", got, want)
		}
		page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j", nil)
		if !strings.Contains(consoletest.Words(page.Doc(t).Selection), "Europe/Berlin") {
			t.Error("the page of the job has no Europe/Berlin")
		}
	})
}
