package requested

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// The names of these tests are those of the cases of requested runs.

// requests is the address of the requested runs of a job.
func requests(job string, more ...string) string {
	return app.JobPath("/api/jobs", job, append([]string{"requested-runs"}, more...)...)
}

func wantCode(t *testing.T, r consoletest.Reply, status int, code string) (body api.ErrorBody) {
	t.Helper()
	consoletest.WantStatus(t, r, status)
	r.Into(t, &body)
	if body.Code != code || body.Message == "" || body.Hint == "" {
		t.Errorf("%s %s: %+v, want the code %s", r.Request.Method, r.Request.URL, body, code)
	}
	return body
}

// TestW12EmptyIsRefused: an empty text, list or key differs from an absent one.
func TestW12EmptyIsRefused(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		for _, name := range []string{"note", "delay", "notBefore", "overlap", "expiry", "fireTime"} {
			got := wantCode(t, b.Call(t, http.MethodPost, requests("j"), `{"`+name+`":""}`), http.StatusUnprocessableEntity, "invalid")
			if len(got.Fields) != 1 || got.Fields[0].Field != name || !strings.Contains(got.Fields[0].Want, "leave the key out") {
				t.Errorf("%s: %+v", name, got.Fields)
			}
		}
		wantCode(t, b.Call(t, http.MethodPost, requests("j"), `{"params":""}`), http.StatusUnprocessableEntity, "invalid")
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+requests("j"), strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"Authorization": "Bearer " + b.Token(t, auth.RoleRoot, auth.ForAPI), "Content-Type": "application/json", "Idempotency-Key": ""} {
			req.Header.Set(name, value)
		}
		got := wantCode(t, b.Do(t, req), http.StatusUnprocessableEntity, "invalid")
		if len(got.Fields) != 1 || got.Fields[0].Field != "Idempotency-Key" {
			t.Errorf("the key: %+v", got.Fields)
		}
		r := b.Call(t, http.MethodPost, requests("j")+"/batch", `{"runs":[{"key":""}]}`)
		if text := r.Body; !strings.Contains(text, `"field":"key"`) || !strings.Contains(text, `"created":0`) {
			t.Errorf("the key of a batch: %s", text)
		}
		wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/j/trigger", `{"instances":[]}`), http.StatusUnprocessableEntity, "invalid")
	})
}

func TestR56WhatIsWrongIsNamed(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		fields := fieldsOf
		for body, want := range map[string]struct {
			code, message string
			fields        []string
		}{
			`{"params":[1]}`:                                    {"params", "parameters refused: want a JSON object, not a list.", []string{"params: want a JSON object, not a list"}},
			`{"params":"2026-10"}`:                              {"params", "parameters refused: want a JSON object, not a text.", []string{"params: want a JSON object, not a text"}},
			`{"params":{"a":1,"a":2,"b":{"c":1,"c":2}}}`:        {"params", "parameters refused: a: is given twice; b.c: is given twice.", []string{"params.a: is given twice", "params.b.c: is given twice"}},
			`{"delay":"-5s"}`:                                   {"invalid", "Delay: -5s is negative.", []string{"delay: -5s is negative"}},
			`{"delay":"5m","notBefore":"2026-11-22T02:30:00Z"}`: {"invalid", "Delay and NotBefore exclude each other.", []string{"delay: Delay and NotBefore exclude each other"}},
			`{"shards":[7]}`:                                    {"invalid", "Shards: 7 is not one of 0 to 1.", []string{"shards: 7 is not one of 0 to 1"}},
			`{"overlap":"both"}`:                                {"invalid", `Overlap: "both" is not allowed; want queue, one, skip or cancel.`, nil},
			`{"delay":"soon","notBefore":"later"}`:              {"invalid", "2 fields of the request cannot be taken.", []string{"delay: a length of time, such as 5m or 24h", "notBefore: a time as in RFC 3339, such as 2026-11-22T02:30:00Z"}},
			`{"Params":{"month":"2026-10"}}`:                    {"invalid", "One field of the request cannot be taken.", nil},
			`{"shards":[]}`:                                     {"invalid", "One field of the request cannot be taken.", []string{"shards: numbers of shards; leave it out for all"}},
			`{"expiry":"0s"}`:                                   {"invalid", "One field of the request cannot be taken.", []string{"expiry: a length of time, such as 5m or 24h"}},
		} {
			got := wantCode(t, b.Call(t, http.MethodPost, requests("j"), body), http.StatusUnprocessableEntity, want.code)
			if got.Message != want.message || len(got.Fields) == 0 || want.fields != nil && !slices.Equal(fields(got.Fields), want.fields) {
				t.Errorf("%s: %q %q", body, got.Message, fields(got.Fields))
			}
		}
		wantCode(t, b.Call(t, http.MethodPost, requests("j"), `{"params":`), http.StatusBadRequest, "malformed")
		wantCode(t, b.Call(t, http.MethodPost, requests("j"), `[1]`), http.StatusBadRequest, "malformed")
		wantCode(t, b.Call(t, http.MethodPost, requests("nope"), `{}`), http.StatusNotFound, "not_found")
	})
}

func TestR56LargeNestedAndAbsentParameters(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		// The bound is 65,536 bytes of JSON, and none is cut.
		of := func(size int) string {
			return `{"a":"` + strings.Repeat("x", size-len(`{"a":""}`)) + `"}`
		}
		got := wantCode(t, b.Call(t, http.MethodPost, requests("j"), `{"params":`+of(65_537)+`}`), http.StatusRequestEntityTooLarge, "too_large")
		if got.Message != "parameters have 65537 bytes; at most 65536 are allowed." {
			t.Errorf("message %q", got.Message)
		}
		var run api.SubmittedRun
		r := b.Call(t, http.MethodPost, requests("j"), `{"params":`+of(65_536)+`}`)
		consoletest.WantStatus(t, r, http.StatusCreated)
		if r.Into(t, &run); len(run.Params) != 65_536 {
			t.Errorf("%d bytes came back", len(run.Params))
		}
		wantCode(t, b.Call(t, http.MethodPost, requests("j"), `{"note":"`+strings.Repeat("x", maxRequestBody)+`"}`), http.StatusRequestEntityTooLarge, "too_large")

		// Nested objects are parameters, and without a body there are none.
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, requests("j"), `{"params":{"a":{"b":[1,{"c":null}]}}}`), http.StatusCreated)
		r = b.Call(t, http.MethodPost, requests("j"), "")
		consoletest.WantStatus(t, r, http.StatusCreated)
		run = api.SubmittedRun{}
		if r.Into(t, &run); run.Params != nil || run.State != "queued" || run.Assign != "each" || run.By.Kind != "api" || run.By.Name != "root" || !strings.HasPrefix(run.By.From, "console 127.") {
			t.Errorf("run %+v", run)
		}
		if want := requests("j", run.ID); r.Header.Get("Location") != want {
			t.Errorf("Location %q, want %q", r.Header.Get("Location"), want)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, r.Header.Get("Location"), ""), http.StatusOK)
	})
}

func TestR49AgentsOfJavaTakeNone(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		got := wantCode(t, b.Call(t, http.MethodPost, requests("j"), `{}`), http.StatusConflict, "not_go")
		if got.Message != "shards 0-1 belong to agents that don't support parameters: 10.0.0.10@-@8, 10.0.0.1@-@7." {
			t.Errorf("message %q", got.Message)
		}
	})
}

func TestR57GuestsOnlyRead(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		r := b.Call(t, http.MethodPost, requests("j"), `{"params":{"month":"Canary-10","pin":471108154711},"delay":"1h","note":"token=Canary-11 again"}`)
		consoletest.WantStatus(t, r, http.StatusCreated)
		var run api.SubmittedRun
		r.Into(t, &run)

		guest := "Authorization: Bearer " + b.Token(t, auth.RoleGuest, auth.ForAPI)
		for _, path := range []string{requests("j"), requests("j", run.ID, "cancel"), requests("j", run.ID, "start"), requests("j", run.ID, "again")} {
			wantCode(t, b.Call(t, http.MethodPost, path, `{}`, guest), http.StatusForbidden, "forbidden")
			wantCode(t, b.Call(t, http.MethodPost, path, `{}`, "Origin: https://evil.example"), http.StatusForbidden, "cross_origin")
		}
		for _, path := range []string{requests("j"), requests("j", run.ID)} {
			got := b.Call(t, http.MethodGet, path, "", guest)
			consoletest.WantStatus(t, got, http.StatusOK)
			if strings.Contains(got.Body, "Canary") || strings.Contains(got.Body, "471108154711") || strings.Contains(got.Body, "127.0.0.1") || !strings.Contains(got.Body, `"params":"***"`) || !strings.Contains(got.Body, "token=***") {
				t.Errorf("GET %s as a guest: %s", path, got.Body)
			}
			if got := b.Call(t, http.MethodGet, path, ""); !strings.Contains(got.Body, "Canary-10") {
				t.Errorf("GET %s as root: %s", path, got.Body)
			}
		}

		consoletest.WantStatus(t, b.Call(t, http.MethodPost, requests("j", run.ID, "cancel"), `{"reason":"wrong month"}`), http.StatusOK)
		var details []string
		for _, row := range b.Settings.Written {
			if strings.Contains(row.Detail, "Canary-10") || strings.Contains(row.Detail, "471108154711") {
				t.Errorf("a value stands in the audit: %+v", row)
			}
			if row.Outcome == "done" {
				details = append(details, row.Target+": "+row.Detail)
			}
		}
		want := []string{
			"j: params_bytes=40 params_keys=month,pin note=token=Canary-11 again order=run affected=1 skipped=0 run=" + run.ID,
			"run " + run.ID + " of j: reason=wrong month order=cancel affected=1 skipped=0",
		}
		if diff := cmp.Diff(want, details); diff != "" {
			t.Errorf("audit (-want +got):\n%s", diff)
		}
	})
}

func TestR58OneKeyIsOneRun(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		const clients = 20
		replies := make([]consoletest.Reply, clients)
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				replies[i] = b.Call(t, http.MethodPost, requests("j"), `{"params":{"month":"2026-10"}}`, "Idempotency-Key: invoices-2026-10")
			})
		}
		all.Wait()
		ids, statuses := map[string]bool{}, map[int]int{}
		for _, r := range replies {
			var run api.SubmittedRun
			r.Into(t, &run)
			ids[run.ID] = true
			statuses[r.StatusCode]++
			if created := r.StatusCode == http.StatusCreated; run.Repeated == created || (r.Header.Get("Location") != "") != created {
				t.Errorf("status %d, repeated %t, Location %q", r.StatusCode, run.Repeated, r.Header.Get("Location"))
			}
		}
		if len(ids) != 1 || statuses[http.StatusCreated] != 1 || statuses[http.StatusOK] != clients-1 {
			t.Errorf("%d runs, answers %v", len(ids), statuses)
		}
		wantCode(t, b.Call(t, http.MethodPost, requests("j"), `{"params":{"month":"2026-11"}}`, "Idempotency-Key: invoices-2026-10"), http.StatusConflict, "key_in_use")
		var list api.RequestedRuns
		b.Call(t, http.MethodGet, requests("j")+"?key=invoices-2026-10", "").Into(t, &list)
		if len(list.Rows) != 1 || list.Waiting != 1 || list.Source != "registry" {
			t.Errorf("list %+v", list)
		}
	})
}

func TestR59AnyNameAndAnyText(t *testing.T) {
	names := []string{"a b", "作业", "50%", "a+b"}
	var tree strings.Builder
	for _, name := range names {
		tree.WriteString(consoletest.TakingRuns(name))
	}
	params := `{"html":"<script>alert(1)</script> & \u2028","rtl":"שלום \u202e","wide":"😀𝄞","quote":"\"\\","number":12345678901234567890.50,"ключ":"значение"}`
	consoletest.EachTree(t, tree.String(), func(t *testing.T, b consoletest.TreeBench) {
		for _, name := range names {
			r := b.Call(t, http.MethodPost, requests(name), `{"params":`+params+`,"note":"<b>שלום</b> 😀"}`)
			consoletest.WantStatus(t, r, http.StatusCreated)
			var run api.RequestedRun
			b.Call(t, http.MethodGet, r.Header.Get("Location"), "").Into(t, &run)
			var sent, got map[string]any
			decode := func(text string, into *map[string]any) {
				d := json.NewDecoder(strings.NewReader(text))
				d.UseNumber()
				if err := d.Decode(into); err != nil {
					t.Fatal(err)
				}
			}
			decode(params, &sent)
			decode(string(run.Params), &got)
			if diff := cmp.Diff(sent, got); diff != "" || run.Note != "<b>שלום</b> 😀" || run.JobName != name {
				t.Errorf("%s: note %q, parameters (-want +got):\n%s", name, run.Note, diff)
			}
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, requests(name, run.ID, "cancel"), ""), http.StatusOK)
		}
	})
}

// TestR60AwayIs503 takes the server away: callers learn of it when the time for a read is
// over, which is less than five seconds, and nothing is half done.
func TestR60AwayIs503(t *testing.T) {
	t.Parallel()
	srv := zkfake.New(zkfake.Options{TickTime: 100 * time.Millisecond, MinSessionTimeout: 200 * time.Millisecond, MaxSessionTimeout: time.Minute})
	t.Cleanup(func() { srv.Close() })
	addr, err := srv.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	bundle := treetest.New(t, addr.String())
	bundle.Plant(t, consoletest.TakingRuns("j"))
	b := consoletest.New(t, func(o *app.Options) {
		o.Jobs, o.Operator = statistics.NewReader(bundle.Registry()), lifecycle.NewOperator(bundle.Registry())
	})
	var run api.SubmittedRun
	b.Call(t, http.MethodPost, requests("j"), `{"delay":"1h"}`).Into(t, &run)

	limit := &b.Console.Options().ReadTimeout
	if *limit >= 5*time.Second {
		t.Errorf("the time for a read is %v", *limit)
	}
	*limit = time.Second
	srv.Stop()
	var all sync.WaitGroup
	for _, ask := range [][2]string{
		{http.MethodPost, requests("j")}, {http.MethodGet, requests("j")}, {http.MethodGet, requests("j", run.ID)},
		{http.MethodPost, requests("j", run.ID, "cancel")}, {http.MethodPost, requests("j", run.ID, "start")}, {http.MethodPost, requests("j", run.ID, "again")},
	} {
		all.Go(func() {
			wantCode(t, b.Call(t, ask[0], ask[1], ""), http.StatusServiceUnavailable, app.CodeRegistryDown)
		})
	}
	all.Wait()
	if err := srv.Start(); err != nil {
		t.Fatal(err)
	}
	var list api.RequestedRuns
	var r consoletest.Reply
	waittest.Until(t, "the registry is read again", func() bool {
		r = b.Call(t, http.MethodGet, requests("j"), "")
		return r.StatusCode != http.StatusServiceUnavailable
	})
	consoletest.WantStatus(t, r, http.StatusOK)
	if r.Into(t, &list); len(list.Rows) != 1 || list.Rows[0].ID != run.ID || list.Rows[0].State != "scheduled" {
		t.Errorf("list %+v", list)
	}
}

func TestR68StartAndCancelHaveOneWinner(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		var run api.SubmittedRun
		b.Call(t, http.MethodPost, requests("j"), `{"delay":"1h"}`).Into(t, &run)
		r := b.Call(t, http.MethodPost, requests("j", run.ID, "start"), "")
		consoletest.WantStatus(t, r, http.StatusOK)
		var started api.RequestedRun
		if r.Into(t, &started); started.State != "queued" {
			t.Errorf("started: %+v", started)
		}
		wantCode(t, b.Call(t, http.MethodPost, requests("j", run.ID, "start"), ""), http.StatusConflict, "not_scheduled")
		wantCode(t, b.Call(t, http.MethodPost, requests("j", run.ID, "again"), `{"params":null}`), http.StatusConflict, "not_ended")
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, requests("j", run.ID, "cancel"), ""), http.StatusOK)
		got := wantCode(t, b.Call(t, http.MethodPost, requests("j", run.ID, "cancel"), ""), http.StatusConflict, "ended")
		if want := fmt.Sprintf("run %s of job \"j\" has ended already: cancelled.", run.ID); got.Message != want {
			t.Errorf("message %q, want %q", got.Message, want)
		}
		for body, field := range map[string]string{`{"shards":"failed"}`: "shards", `{"shards":"some"}`: "shards"} { // none has failed
			got = wantCode(t, b.Call(t, http.MethodPost, requests("j", run.ID, "again"), body), http.StatusUnprocessableEntity, "invalid")
			if len(got.Fields) != 1 || got.Fields[0].Field != field {
				t.Errorf("%s: fields %+v", body, got.Fields)
			}
		}
		r = b.Call(t, http.MethodPost, requests("j", run.ID, "again"), `{"params":{"a":1},"note":"once more"}`)
		consoletest.WantStatus(t, r, http.StatusCreated)
		var again api.SubmittedRun
		if r.Into(t, &again); again.Parent != run.ID || again.By.Kind != "again" || string(again.Params) != `{"a":1}` || again.Note != "once more" {
			t.Errorf("again: %+v", again)
		}
		for _, id := range []string{"0193a5b0-7c11-7000-8000-5f2a9c31d0e4", strings.TrimPrefix(run.ID, run.ID[:24]), "x"} {
			wantCode(t, b.Call(t, http.MethodGet, requests("j", id), ""), http.StatusNotFound, "no_run")
			wantCode(t, b.Call(t, http.MethodPost, requests("j", id, "cancel"), ""), http.StatusNotFound, "no_run")
		}
	})
}

// TestRunsUnderWay reads what agents would write.
func TestRunsUnderWay(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		var run api.SubmittedRun
		b.Call(t, http.MethodPost, requests("j"), `{"params":{"a":1}}`).Into(t, &run)
		tree, now := b.Tree.NS.Job("j"), consoletest.Noon
		folder := tree.RunsQueue()
		names, _, err := b.Tree.Client.Children(t.Context(), folder)
		if err != nil || len(names) != 1 {
			t.Fatal(names, err)
		}
		data, _, err := b.Tree.Client.Get(t.Context(), folder+"/"+names[0])
		if err != nil {
			t.Fatal(err)
		}
		request, err := jobtree.DecodeRunRequest(data)
		if err != nil {
			t.Fatal(err)
		}
		next := runs.Open(request, 2, nil, "10.0.0.1@-@7", now)
		record := runs.Claim(*next.Record, []int{0}, jobtree.RunClaim{Instance: "10.0.0.1@-@7", Session: "0x1", Nonce: "k1", At: now.UnixMilli()})
		ops, err := runs.Store{Tree: tree}.Begin(tree.RunsActiveAll(), record)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Tree.Client.Multi(t.Context(), append(ops, zk.DeleteOp(folder+"/"+names[0], zk.AnyVersion))...); err != nil {
			t.Fatal(err)
		}

		var got api.RequestedRun
		b.Call(t, http.MethodGet, requests("j", run.ID), "").Into(t, &got)
		want := []api.RunShard{{Shard: 0, State: "running", Instance: "10.0.0.1@-@7", Since: "2026-11-21T12:00:07Z"}, {Shard: 1, State: "waiting"}}
		if diff := cmp.Diff(want, got.Details); diff != "" || got.State != "running" || got.Cancelling || got.Shards != (api.ShardCounts{Total: 2, Running: 1, Waiting: 1}) {
			t.Errorf("%+v, shards (-want +got):\n%s", got, diff)
		}
		r := b.Call(t, http.MethodPost, requests("j", run.ID, "cancel"), `{"reason":"wrong month"}`)
		consoletest.WantStatus(t, r, http.StatusAccepted)
		got = api.RequestedRun{}
		if r.Into(t, &got); got.State != "running" || !got.Cancelling || got.Cancelled == nil || got.Cancelled.By != "root" || got.Cancelled.Reason != "wrong month" || got.Shards.Cancelled != 1 {
			t.Errorf("%+v", got)
		}
	})
}

func momentOf(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestRequestedRunsAreLeafedThrough(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		const n = 7
		ids := map[string]bool{}
		for i := range n {
			r := b.Call(t, http.MethodPost, requests("j"), `{"delay":"`+strconv.Itoa(n-i)+`h"}`)
			var run api.SubmittedRun
			r.Into(t, &run)
			ids[run.ID] = true
			if i < 3 {
				consoletest.WantStatus(t, b.Call(t, http.MethodPost, requests("j", run.ID, "cancel"), ""), http.StatusOK)
			}
		}
		var rows []api.RequestedRun
		for cursor := ""; ; {
			var page api.RequestedRuns
			b.Call(t, http.MethodGet, requests("j")+"?limit=2&cursor="+cursor, "").Into(t, &page)
			rows = append(rows, page.Rows...)
			if page.Waiting != n-3 || page.Ended != 3 || len(page.Rows) > 2 {
				t.Errorf("page %+v", page)
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		if len(rows) != n || len(ids) != n {
			t.Fatalf("%d rows, want %d", len(rows), n)
		}
		for i, row := range rows[:n-1] {
			next := rows[i+1]
			if !ids[row.ID] || row.State == next.State && (row.State == "scheduled" && momentOf(t, next.DueAt).Before(momentOf(t, row.DueAt)) ||
				row.State == "cancelled" && momentOf(t, row.EndTime).Before(momentOf(t, next.EndTime))) {
				t.Errorf("row %d: %s %s %s, then %s %s %s", i, row.State, row.DueAt, row.EndTime, next.State, next.DueAt, next.EndTime)
			}
		}
		var page api.RequestedRuns
		if b.Call(t, http.MethodGet, requests("j")+"?state=cancelled", "").Into(t, &page); len(page.Rows) != 3 {
			t.Errorf("cancelled: %d", len(page.Rows))
		}
		for _, bad := range []string{"state=purple", "limit=201", "cursor=made-up"} {
			r := b.Call(t, http.MethodGet, requests("j")+"?"+bad, "")
			consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
			if !strings.Contains(view.Clip(r.Body, 300), strings.SplitN(bad, "=", 2)[0]) {
				t.Errorf("%s: %s", bad, r.Body)
			}
		}
	})
}

// TestAgain: a run is repeated with its parameters and its shards, or for those that
// failed. Parameters that are too large to be kept are to be said again.
func TestAgain(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		submit := func(path, body string) (run api.SubmittedRun) {
			r := b.Call(t, http.MethodPost, path, body)
			consoletest.WantStatus(t, r, http.StatusCreated)
			r.Into(t, &run)
			return run
		}
		cancelled := func(body string) api.SubmittedRun {
			run := submit(requests("j"), body)
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, requests("j", run.ID, "cancel"), ""), http.StatusOK)
			return run
		}
		small := cancelled(`{"delay":"1h","params":{"month":"2026-10"},"shards":[1]}`)
		if again := submit(requests("j", small.ID, "again"), ""); string(again.Params) != `{"month":"2026-10"}` || again.Parent != small.ID {
			t.Errorf("again: %+v", again)
		}
		large := cancelled(`{"delay":"1h","params":{"text":"` + strings.Repeat("x", 2000) + `"}}`)
		got := wantCode(t, b.Call(t, http.MethodPost, requests("j", large.ID, "again"), ""), http.StatusUnprocessableEntity, "params")
		if len(got.Fields) != 1 || got.Fields[0].Field != "params" {
			t.Errorf("fields %+v", got.Fields)
		}
		if again := submit(requests("j", large.ID, "again"), `{"params":null}`); again.Params != nil {
			t.Errorf("again without parameters: %+v", again)
		}
	})
}
