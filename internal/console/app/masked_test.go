package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// V24: a guest asks every route, pages and both APIs, for a job that has secrets
// in every place where one can stand, and sees none; root sees what he may edit.
// A guest cannot search for one either. What a guest was shown, written back by
// root, overwrites no secret; a piece of a mask is refused.
func TestV24GuestsReadNoSecretAnywhere(t *testing.T) {
	const canary = "Canary-24"
	config := jobconfig.New("invoices", 2)
	config.Cron = "0 0 3 * * ?"
	config.JobType = "SCRIPT"
	config.Parameter = "tenant=a,token=" + canary
	config.ItemParameters = "0=secret:" + canary + ",1=b"
	config.Description = "calls https://root:" + canary + "@host/"
	config.Label = "api_key=" + canary
	config.Props = map[string]string{
		"script.command.line": "/bin/x --password=" + canary + " --all", "http.uri": "http://h/?access_token=" + canary, "http.data": `{"a":"` + canary + `"}`,
		"dingtalk.webhook": "https://h/" + canary, "x.header": "Authorization: Bearer " + canary,
	}
	text, err := config.Encode()
	if err != nil {
		t.Fatal(err)
	}
	tree := consoletest.PlantedJob("invoices", string(text))
	consoletest.EachTree(t, tree, func(t *testing.T, b consoletest.TreeBench) {
		b.Console.Options().CommandChanges = true
		guestReads(t, b, canary)

		var guest, root map[string]any
		b.As(t, auth.RoleGuest, http.MethodGet, "/api/jobs/config/invoices", nil).Into(t, &guest)
		b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/config/invoices", nil).Into(t, &root)
		if root["jobParameter"] != config.Parameter || guest["jobParameter"] != "tenant=a,token=***" {
			t.Errorf("root sees %v, a guest %v", root["jobParameter"], guest["jobParameter"])
		}
		if props, _ := guest["props"].(map[string]any); props["script.command.line"] != "/bin/x --password=*** --all" {
			t.Errorf("a guest sees %v", props)
		}
		before := b.Node(t, "invoices/config")
		send := func(body map[string]any) consoletest.Reply {
			data, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			return b.Call(t, http.MethodPut, "/api/jobs/config", string(data))
		}
		consoletest.WantStatus(t, send(guest), http.StatusNoContent)
		if after := b.Node(t, "invoices/config"); after != before {
			t.Errorf("what a guest was shown is stored:\n%s", after)
		}
		guest["props"].(map[string]any)["script.command.line"] = "/bin/y --password=*** --all"
		if w := send(guest); w.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(w.Body, `"field":"props.script.command.line"`) || strings.Contains(w.Body, canary) {
			t.Errorf("a piece of a mask: %d %s", w.StatusCode, w.Body)
		}
		if after := b.Node(t, "invoices/config"); after != before {
			t.Errorf("a piece of a mask is stored:\n%s", after)
		}
		consoletest.WantStatus(t, send(map[string]any{"jobName": "invoices", "jobParameter": "token=new"}), http.StatusNoContent)
		if after := b.Node(t, "invoices/config"); !strings.Contains(after, "token=new") || strings.Count(after, canary) != strings.Count(before, canary)-1 {
			t.Errorf("a new secret is not stored:\n%s", after)
		}
	})
}

// TestW58GuestsSeeNoSecretOfFailures: no view of a guest has the secret in the message of a failure.
func TestW58GuestsSeeNoSecretOfFailures(t *testing.T) {
	t.Parallel()
	const canary = "Canary-58"
	const text = "exit code 1: connect with DB_PASS=" + canary
	b := consoletest.New(t)
	for i := range b.History.Rows {
		b.History.Rows[i].FailureCause = text
	}
	for i := range b.History.Steps {
		b.History.Steps[i].Message = text
	}
	for i := range b.History.OldRuns {
		run := &b.History.OldRuns[i]
		run.Error, run.Reason, run.Note, run.Result = text, text, text, `{"0":{"password":"`+canary+`"}}`
	}
	for i := range b.History.RunStep {
		b.History.RunStep[i].Message = text
	}
	for i := range b.History.Progress {
		b.History.Progress[i].Message = text
	}
	for i := range b.History.Lines {
		b.History.Lines[i].Message = text
	}
	b.Cloud.Engine.Finish(consoletest.SampleRun, 0, tracing.StateFailed, text)
	b.Cloud.Engine.SetRun(consoletest.SampleRun, func(r *cloud.RunStatus) { r.Message = text })
	guestReads(t, consoletest.TreeBench{Bench: b}, canary)
	if log := b.Log.String(); strings.Contains(log, canary) {
		t.Errorf("the log has %s", around(log, canary))
	}
}

// guestReads asks for everything that can be read, as a guest.
func guestReads(t *testing.T, b consoletest.TreeBench, canary string) {
	asked := 0
	for _, r := range b.Console.Routes() {
		if r.Method != http.MethodGet || strings.Contains(r.Path, "dump") {
			continue
		}
		for _, header := range []func(*http.Request){func(*http.Request) {}, func(req *http.Request) {
			if app.SurfaceOf(req.URL.Path) == app.API {
				req.Header.Set("Access-Token", strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer "))
				req.Header.Del("Authorization")
			}
		}} {
			w := b.As(t, auth.RoleGuest, http.MethodGet, consoletest.Filled(r.Path), nil, header)
			asked++
			if strings.Contains(w.Body, canary) {
				t.Errorf("GET %s (%d) shows a guest: %s", consoletest.Filled(r.Path), w.StatusCode, around(w.Body, canary))
			}
		}
	}
	if asked < 60 {
		t.Errorf("only %d requests", asked)
	}
	for _, q := range []string{"/jobs?q=" + canary, "/api/jobs?q=" + canary} {
		if w := b.As(t, auth.RoleGuest, http.MethodGet, q, nil); strings.Contains(w.Body, `"invoices"`) || strings.Contains(w.Body, "/jobs/invoices") {
			t.Errorf("%s finds a secret", q)
		}
	}
}

func around(text, what string) string {
	at := strings.Index(text, what)
	return text[max(0, at-80):min(len(text), at+80)]
}
