package config

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

func TestA20PutConfigChangesOneLine(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", consoletest.Stored3x), func(t *testing.T, b consoletest.TreeBench) {
		got := b.Call(t, http.MethodGet, "/api/jobs/config/j", "")
		consoletest.WantStatus(t, got, 200)
		tag := got.Header.Get("ETag")
		var settings map[string]any
		got.Into(t, &settings)
		if settings["cron"] != "0/5 * * * * ?" || settings["jobExtraConfigurations"] != nil || settings["jobExecutorThreadPoolSizeProviderType"] != "SINGLE_THREAD" {
			t.Errorf("settings %v", settings)
		}
		if _, both := settings["jobExecutorServiceHandlerType"]; both {
			t.Error("the key of the other dialect is there as well")
		}

		put := b.Call(t, http.MethodPut, "/api/jobs/config", strings.Replace(got.Body, "0/5 *", "0/7 *", 1), "If-Match: "+tag)
		consoletest.WantStatus(t, put, http.StatusNoContent)
		if put.Header.Get("ETag") == tag || put.Body != "" {
			t.Errorf("ETag %s, body %q", put.Header.Get("ETag"), put.Body)
		}
		want := strings.Replace(consoletest.Stored3x, "0/5 *", "0/7 *", 1)
		if diff := cmp.Diff(want, b.Node(t, "j/config")); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		if again := b.Call(t, http.MethodGet, "/api/jobs/config/j", ""); again.Header.Get("ETag") != put.Header.Get("ETag") {
			t.Errorf("ETag %s after PUT, %s at the next GET", put.Header.Get("ETag"), again.Header.Get("ETag"))
		}
		// A part of the settings leaves the others, and nothing new writes nothing.
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","cron":"0/5 * * * * ?"}`), http.StatusNoContent)
		same := b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","cron":"0/5 * * * * ?"}`)
		consoletest.WantStatus(t, same, http.StatusNoContent)
		if b.Node(t, "j/config") != consoletest.Stored3x || !strings.HasPrefix(same.Header.Get("ETag"), `"2-`) {
			t.Errorf("ETag %s, stored %q", same.Header.Get("ETag"), b.Node(t, "j/config"))
		}
		if log := b.Log.String(); !strings.Contains(log, "changed=[cron]") || strings.Contains(log, "Canary-9") {
			t.Error("the audit record does not name what changed, or has its value")
		}
	})
}

func TestA19PutConfigWithAStaleETag(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", consoletest.Stored3x), func(t *testing.T, b consoletest.TreeBench) {
		tag := b.Call(t, http.MethodGet, "/api/jobs/config/j", "").Header.Get("ETag")
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","description":"first"}`, "If-Match: "+tag), http.StatusNoContent)
		before := b.Node(t, "j/config")
		stale := b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","description":"second"}`, "If-Match: "+tag)
		consoletest.WantStatus(t, stale, http.StatusPreconditionFailed)
		var body api.ErrorBody
		stale.Into(t, &body)
		stored, _ := body.Stored.(map[string]any)
		if body.Code != "stale_config" || stored["description"] != "first" || b.Node(t, "j/config") != before {
			t.Errorf("answer %s, stored %q", stale.Body, b.Node(t, "j/config"))
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","description":"second"}`, "If-Match: "+stale.Header.Get("ETag")), http.StatusNoContent)
		for _, header := range []string{"x", `"a", "b"`, `W/"0-1"`, `"`, `""`} {
			consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j"}`, "If-Match: "+header), http.StatusBadRequest)
		}

		// A job that was removed and registered again starts at version 0,
		// and is another one.
		tag = b.Call(t, http.MethodGet, "/api/jobs/config/j", "").Header.Get("ETag")
		path := b.Tree.NS.Job("j").Config()
		if err := b.Tree.Client.Delete(t.Context(), path, -1); err != nil {
			t.Fatal(err)
		}
		b.Tree.Put(t, "j/config", consoletest.Stored3x, 0)
		for range 2 {
			b.Tree.Put(t, "j/config", consoletest.Stored3x, 0)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","description":"third"}`, "If-Match: "+tag), http.StatusPreconditionFailed)
	})
}

func TestA21PutConfigNamesEveryField(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", consoletest.Stored3x), func(t *testing.T, b consoletest.TreeBench) {
		for body, want := range map[string][]string{
			`{"jobName":"","cron":"every day","shardingTotalCount":0,"timeZone":"Asia/Shanghai"}`:                    {"cron", "jobName", "shardingTotalCount", "timeZone"},
			`{"jobName":"j","cron":"0 0 0 30 2 ?","shardingItemParameters":"0=a,2=c"}`:                               {"cron", "shardingItemParameters"},
			`{"jobName":"j","cron":5,"failover":"perhaps","shardingTotalCount":1.5,"props":[],"jobListenerTypes":1}`: {"cron", "failover", "jobListenerTypes", "props", "shardingTotalCount"},
			`{"jobName":"j","monitorPort":9888,"cronn":"x"}`:                                                         {"cronn", "monitorPort"},
			`{"jobName":"j","shardingItemParameters":"0=a=b"}`:                                                       {"shardingItemParameters"},
			`{"jobName":"j","props":{"cron.clock.change":"never"}}`:                                                  {"props.cron.clock.change"},
			`{"jobName":"j","timeZone":"GMT+25","jobErrorHandlerType":"a\nb"}`:                                       {"jobErrorHandlerType", "timeZone"},
			`{"jobName":"a/b"}`: {"jobName"},
			`{"jobName":7}`:     {"jobName"},
			`{}`:                {"jobName"},
		} {
			r := b.Call(t, http.MethodPut, "/api/jobs/config", body)
			consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
			var answer api.ErrorBody
			r.Into(t, &answer)
			var fields []string
			for _, f := range answer.Fields {
				if f.Want == "" {
					t.Errorf("%s: %s does not say what is allowed", body, f.Field)
				}
				fields = append(fields, f.Field)
			}
			slices.Sort(fields)
			if diff := cmp.Diff(want, slices.Compact(fields)); diff != "" {
				t.Errorf("%s: fields (-want +got):\n%s%s", body, diff, r.Body)
			}
		}
		for _, body := range []string{`[]`, `null`, `"x"`, `{`, `{"jobName":"j"} {}`} {
			consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", body), http.StatusBadRequest)
		}
		if b.Node(t, "j/config") != consoletest.Stored3x {
			t.Errorf("something was stored: %q", b.Node(t, "j/config"))
		}
	})
}

func TestA22PutConfigOfNoJob(t *testing.T) {
	consoletest.EachTree(t, "", func(t *testing.T, b consoletest.TreeBench) {
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"nope","shardingTotalCount":1}`), http.StatusNotFound)
		if dump := b.Tree.Dump(t, ""); dump != "" {
			t.Errorf("nodes were created:\n%s", dump)
		}
	})
}

// A document of 2.1.x keeps what its own console dropped: defect B-10.
func TestConfigOf2xKeepsItsKeys(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("old", consoletest.Stored2x), func(t *testing.T, b consoletest.TreeBench) {
		got := b.Call(t, http.MethodGet, "/api/jobs/config/old", "")
		consoletest.WantStatus(t, got, 200)
		var settings map[string]any
		got.Into(t, &settings)
		if settings["jobClass"] != "com.example.Old" || settings["overwrite"] != true || settings["streamingProcess"] != false {
			t.Errorf("settings %v", settings)
		}
		// As ElasticJob's 2.x console sends it: numbers as texts.
		body := strings.Replace(got.Body, `"shardingTotalCount":2`, `"shardingTotalCount":"3"`, 1)
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", body), http.StatusNoContent)
		if diff := cmp.Diff(strings.Replace(consoletest.Stored2x, `"shardingTotalCount":2`, `"shardingTotalCount":3`, 1), b.Node(t, "old/config")); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		for body, field := range map[string]string{
			`{"jobName":"old","jobClass":"com.example.New"}`:                   "jobClass",
			`{"jobName":"old","cron":""}`:                                      "cron",
			`{"jobName":"old","timeZone":"GMT+8"}`:                             "timeZone",
			`{"jobName":"old","jobProperties":{"x":"y"}}`:                      "jobProperties",
			`{"jobName":"old","jobProperties":{"executor_service_handler":1}}`: "jobProperties",
		} {
			r := b.Call(t, http.MethodPut, "/api/jobs/config", body)
			consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
			if !strings.Contains(r.Body, `"field":"`+field+`"`) {
				t.Errorf("%s: %s", body, r.Body)
			}
		}
	})
}

func TestUnreadableConfig(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", "jobName: [\n"), func(t *testing.T, b consoletest.TreeBench) {
		for _, r := range []consoletest.Reply{
			b.Call(t, http.MethodGet, "/api/jobs/config/j", ""),
			b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","cron":"0/5 * * * * ?"}`),
		} {
			consoletest.WantStatus(t, r, http.StatusConflict)
			if !strings.Contains(r.Body, "config_unreadable") {
				t.Errorf("%s: %s", r.Request.Method, r.Body)
			}
		}
		if b.Node(t, "j/config") != "jobName: [\n" {
			t.Error("something was stored")
		}
	})
}

func TestGuestsSeeNoSecretsOfAConfig(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	guest := b.As(t, auth.RoleGuest, http.MethodGet, "/api/jobs/config/invoices", nil)
	consoletest.WantStatus(t, guest, 200)
	if strings.Contains(guest.Body, "s3cret-Canary-9") || !strings.Contains(guest.Body, "***") {
		t.Errorf("a guest sees %s", guest.Body)
	}
	if root := b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/config/invoices", nil); !strings.Contains(root.Body, "s3cret-Canary-9") {
		t.Errorf("root sees %s", root.Body)
	}
}

// TestV04EditsLeaveUnusualFieldsAlone: an unusual value that the change leaves as it is causes a
// warning on the job's page and in its answer, not a refusal.
func TestV04EditsLeaveUnusualFieldsAlone(t *testing.T) {
	const stored = "cron: 0 0 0 31W * ? * beyond\njobName: j\nshardingTotalCount: 2\nshardingItemParameters: 0=a,1=b,2=c\ntimeZone: GMT+25\nreconcileIntervalMinutes: -7\n"
	consoletest.EachTree(t, consoletest.PlantedJob("j", stored), func(t *testing.T, b consoletest.TreeBench) {
		put := func(body string, status int) consoletest.Reply {
			t.Helper()
			r := b.Call(t, http.MethodPut, apiRoute, body)
			consoletest.WantStatus(t, r, status)
			return r
		}
		for body, field := range map[string]string{
			`{"jobName":"j","shardingItemParameters":"0=a,2=c"}`:                                           "shardingItemParameters",
			`{"jobName":"j","timeZone":"GMT+26"}`:                                                          "timeZone",
			`{"jobName":"j","reconcileIntervalMinutes":-8}`:                                                "reconcileIntervalMinutes",
			`{"jobName":"j","cron":"x"}`:                                                                   "cron",
			`{"jobName":"j","shardingTotalCount":0,"shardingItemParameters":"0=a,1=b,2=c","misfire":true}`: "shardingTotalCount",
		} {
			var answer api.ErrorBody
			put(body, http.StatusUnprocessableEntity).Into(t, &answer)
			if len(answer.Fields) != 1 || answer.Fields[0].Field != field {
				t.Errorf("%s: fields %+v", body, answer.Fields)
			}
		}
		if got := b.Node(t, "j/config"); got != stored {
			t.Fatalf("a refused change was stored: %q", got)
		}
		// Everything comes back as it was, as a form sends it, with one change.
		var all map[string]any
		b.Call(t, http.MethodGet, apiRoute+"/j", "").Into(t, &all)
		all["misfire"] = true
		body, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		put(string(body), http.StatusNoContent)
		put(`{"jobName":"j","description":"ours"}`, http.StatusNoContent)
		if got := b.Node(t, "j/config"); !strings.Contains(got, "description: ours") || !strings.Contains(got, "shardingItemParameters: 0=a,1=b,2=c\n") || !strings.Contains(got, "misfire: true") {
			t.Errorf("stored %q", got)
		}
		for role, value := range map[auth.Role]string{auth.RoleRoot: "0=a,1=b,2=c", auth.RoleGuest: ""} {
			var detail api.JobDetail
			b.As(t, role, http.MethodGet, "/api/jobs/j", nil).Into(t, &detail)
			fields := make(map[string]app.FieldBody)
			for _, w := range detail.Warnings {
				fields[w.Field] = w
			}
			if len(fields) != 4 || fields["shardingItemParameters"].Value != value || !strings.Contains(fields["cron"].Want, "Quartz 2.5") {
				t.Errorf("%s: warnings %+v", role, detail.Warnings)
			}
		}
		page := consoletest.Words(b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j", nil).Doc(t).Selection)
		if !strings.Contains(page, "The configuration is unusual") || !strings.Contains(page, "Quartz 2.5 refuses it, because it has 8 fields") {
			t.Errorf("the page says nothing: %s", page)
		}
	})
}

// TestV07DialectOfTheNeighbours: a thread pool in a configuration without one is
// stored under the key that other jobs of the namespace use, whichever key the
// request has.
func TestV07DialectOfTheNeighbours(t *testing.T) {
	const bare, old, young = "jobName: %s\nshardingTotalCount: 2\n", "jobExecutorServiceHandlerType: CPU\njobName: %s\nshardingTotalCount: 2\n", "jobExecutorThreadPoolSizeProviderType: CPU\njobName: %s\nshardingTotalCount: 2\n"
	const key304, key305 = "jobExecutorServiceHandlerType", "jobExecutorThreadPoolSizeProviderType"
	traced := "jobExtraConfigurations:\n- !!org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.YamlTracingConfiguration\n  type: RDB\njobName: %s\nshardingTotalCount: 2\n"
	for name, test := range map[string]struct {
		own, neighbour string
		sent, stored   string
	}{
		"3.0.5 around, the old key":   {own: bare, neighbour: young, sent: key304, stored: key305},
		"3.0.5 around, its key":       {own: bare, neighbour: young, sent: key305, stored: key305},
		"3.0.4 around, the new key":   {own: bare, neighbour: old, sent: key305, stored: key304},
		"nobody tells, the old key":   {own: bare, neighbour: bare, sent: key304, stored: key304},
		"nobody tells, the new key":   {own: bare, neighbour: bare, sent: key305, stored: key305},
		"its own tracing tells":       {own: traced, neighbour: old, sent: key304, stored: key305},
		"its own key tells":           {own: old, neighbour: young, sent: key305, stored: key304},
		"its own key tells, the same": {own: young, neighbour: old, sent: key305, stored: key305},
	} {
		t.Run(name, func(t *testing.T) {
			job := func(name, config string) string { return consoletest.PlantedJob(name, fmt.Sprintf(config, name)) }
			consoletest.EachTree(t, job("j", test.own)+job("k", test.neighbour)+job("l", test.neighbour)+"m/servers/10.0.0.1 = ENABLED\n", func(t *testing.T, b consoletest.TreeBench) {
				consoletest.WantStatus(t, b.Call(t, http.MethodPut, apiRoute, fmt.Sprintf(`{"jobName":"j",%q:"SINGLE_THREAD"}`, test.sent)), http.StatusNoContent)
				other := map[string]string{key304: key305, key305: key304}[test.stored]
				if got := b.Node(t, "j/config"); !strings.Contains(got, test.stored+": SINGLE_THREAD\n") || strings.Contains(got, other) {
					t.Errorf("stored %q", got)
				}
			})
		})
	}
}

// TestPreviewOfAConfig: the consequences of a PUT, in the words of the pages. Nothing is stored.
func TestPreviewOfAConfig(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		before := b.Node(t, "j/config")
		var got api.ConfigPreview
		answer := b.Call(t, http.MethodPost, "/api/jobs/j/config/preview", `{"cron":"0 30 2 * * ?","timeZone":"GMT+8","shardingTotalCount":3}`)
		consoletest.WantStatus(t, answer, 200)
		answer.Into(t, &got)
		if !slices.Equal(got.Changed, []string{"cron", "timeZone", "shardingTotalCount"}) || !strings.Contains(got.Document, "cron: 0 30 2 * * ?") || b.Node(t, "j/config") != before {
			t.Errorf("%+v", got)
		}
		if got.Schedule.Words != "every day at 02:30" || len(got.Schedule.Fires) != 5 || got.Schedule.Fires[0] != "2026-11-21T18:30:00Z" || len(got.Schedule.Findings) != 2 {
			t.Errorf("schedule %+v", got.Schedule)
		}
		var codes []string
		for _, e := range got.Effects {
			codes = append(codes, e.Code)
		}
		if !slices.Contains(codes, "reschedules") || !slices.Contains(codes, "shards_new") {
			t.Errorf("effects %v", codes)
		}
		put := b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","cron":"0 30 2 * * ?"}`, `If-Match: "`+got.Revision+`"`)
		consoletest.WantStatus(t, put, http.StatusNoContent)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/config/preview", `{"cron":"x"}`), http.StatusUnprocessableEntity)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/k/config/preview", `{}`), http.StatusNotFound)
	})
}
