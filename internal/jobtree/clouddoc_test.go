package jobtree_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// cloudFixture has a field of each kind.
type cloudFixture struct {
	Name   string            `json:"jobName"`
	Cron   string            `json:"cron"`
	CPU    float64           `json:"cpuCount"`
	Shards int               `json:"shardingTotalCount"`
	Fail   bool              `json:"failover"`
	Props  map[string]string `json:"props"`
	Times  []time.Time       `json:"times"`
	Hidden string            `json:"-"`
}

func anyField(string) bool { return true }

func parseCloud(t *testing.T, text string) *jobtree.CloudDocument {
	t.Helper()
	d, err := jobtree.ParseCloudDocument([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Documents by the schedulers of 3.0.4 and 2.1.5.
const (
	yamlOf304 = `appName: shop
cpuCount: 0.1
cron: 0 0 3 * * ?
failover: on
jobExecutionType: TRANSIENT
jobName: settlement.daily
props:
  print.title: 'yes'
  n: 3
shardingTotalCount: 3
added: {by: somebody}
description:
`
	jsonOf215 = `{"jobName":"settlement.daily","jobClass":"org.example.Settle","cron":"0 0 3 * * ?","shardingTotalCount":3,"failover":true,"cpuCount":0.1,"jobProperties":{"job_exception_handler":"x"}}`
)

// TestCloudDocumentsOfUpstream: documents of both generations should be readable, and changes
// should keep unknown fields.
func TestCloudDocumentsOfUpstream(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		props map[string]string
		kept  []string
	}{
		"YAML": {yamlOf304, map[string]string{"print.title": "yes", "n": "3"}, []string{"added: {by: somebody}", "jobExecutionType: TRANSIENT", "'yes'"}},
		"JSON": {jsonOf215, nil, []string{`"jobProperties":{"job_exception_handler":"x"}`, `"jobClass":"org.example.Settle"`}},
	} {
		d := parseCloud(t, c.text)
		var before cloudFixture
		if err := d.Read(&before, anyField); err != nil {
			t.Fatal(name, err)
		}
		want := cloudFixture{Name: "settlement.daily", Cron: "0 0 3 * * ?", CPU: 0.1, Shards: 3, Fail: true, Props: c.props}
		if diff := cmp.Diff(want, before); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := d.Write(&before, &before, anyField); err != nil {
			t.Fatal(name, err)
		}
		if data, err := d.Encode(); err != nil || string(data) != c.text || d.Changed() {
			t.Errorf("%s: unchanged, but %q, %v", name, data, err)
		}
		after := before
		after.Cron, after.CPU, after.Fail = "0 0 4 * * ?", 2, false
		if err := d.Write(&before, &after, anyField); err != nil {
			t.Fatal(name, err)
		}
		data, err := d.Encode()
		if err != nil {
			t.Fatal(name, err)
		}
		for _, kept := range c.kept {
			if !strings.Contains(string(data), kept) {
				t.Errorf("%s: %s is lost in\n%s", name, kept, data)
			}
		}
		var again cloudFixture
		if err := parseCloud(t, string(data)).Read(&again, anyField); err != nil {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff(after, again); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, data)
		}
	}
}

// TestCloudDocumentIsWrittenAsUpstreamDoes: doubles have a decimal point, and texts that YAML 1.1
// would misread are quoted.
func TestCloudDocumentIsWrittenAsUpstreamDoes(t *testing.T) {
	t.Parallel()
	var d jobtree.CloudDocument
	err := d.Write(nil, &cloudFixture{
		Name: "on", Cron: "0 0 3 * * ?", CPU: 2, Shards: 3,
		Props: map[string]string{"b": "1:30", "a": "line\nline", "c": "plain", "d": "0x1F", "e": ""},
	}, func(key string) bool { return key != "times" })
	if err != nil {
		t.Fatal(err)
	}
	data, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	want := `jobName: 'on'
cron: '0 0 3 * * ?'
cpuCount: 2.0
shardingTotalCount: 3
failover: false
props:
  a: "line\nline"
  b: '1:30'
  c: plain
  d: '0x1F'
  e: ''
`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
}

// TestCloudJSONKeepsTypes: JSON values should keep their types, and unknown members should stay.
func TestCloudJSONKeepsTypes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	d := parseCloud(t, `{"future":[1,{"x":null}],"times":["2026-11-22T03:00:00Z"]}`)
	var before cloudFixture
	if err := d.Read(&before, anyField); err != nil || len(before.Times) != 1 || !before.Times[0].Equal(at) {
		t.Fatalf("%+v, %v", before, err)
	}
	after := before
	after.Times = []time.Time{at, at.Add(time.Hour)}
	if err := d.Write(&before, &after, anyField); err != nil {
		t.Fatal(err)
	}
	data, err := d.Encode()
	if want := `{"future":[1,{"x":null}],"times":["2026-11-22T03:00:00Z","2026-11-22T04:00:00Z"]}`; err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
	after.Times = nil
	if err := d.Write(&before, &after, anyField); err != nil {
		t.Fatal(err)
	}
	if data, err := d.Encode(); err != nil || string(data) != `{"future":[1,{"x":null}]}` {
		t.Errorf("%s, %v", data, err)
	}
}

// TestCloudDocumentErrors: an error should name the field and the expected value.
func TestCloudDocumentErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                  "it is empty",
		"- a\n":                             "want a mapping",
		`{"a":1} x`:                         "text follows",
		"a: [":                              "line 1",
		"cpuCount: much\n":                  "cpuCount: \"much\", want a number",
		`{"cpuCount":"NaN"}`:                "want a number",
		"shardingTotalCount: 1.5\n":         "want a whole number",
		`{"failover":"perhaps"}`:            "want true or false",
		"props: 3\n":                        "want a mapping",
		`{"props":{"a":[1]}}`:               "list or an object",
		"times: ['2026-11-22T03:00:00Z']\n": "only JSON",
	} {
		d, err := jobtree.ParseCloudDocument([]byte(text))
		if err == nil {
			var into cloudFixture
			err = d.Read(&into, anyField)
		}
		if !errors.Is(err, jobtree.ErrCloudDocument) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if others := parseCloud(t, `{"jobClass":"a","list":[1],"jobClass":"b"}`).Others(&cloudFixture{}); !slices.Equal(others, []string{"jobClass", "list"}) {
		t.Errorf("%q", others)
	}
	texts := parseCloud(t, jsonOf215).Texts(&cloudFixture{})
	if diff := cmp.Diff(map[string]string{"jobClass": "org.example.Settle"}, texts); diff != "" {
		t.Error(diff)
	}
}

// TestCloudPaths covers upstream's tree and our own nodes.
func TestCloudPaths(t *testing.T) {
	t.Parallel()
	ns, err := jobtree.NewNamespace("elasticjob-cloud")
	if err != nil {
		t.Fatal(err)
	}
	c := jobtree.NewCloud(ns)
	got := []string{
		c.App("shop"), c.Job("j"), c.DisabledApp("shop"), c.DisabledJob("j"), c.Election(),
		c.AppExtension("shop"), c.JobExtension("j"), c.Status("j"),
	}
	want := []string{
		"/elasticjob-cloud/config/app/shop", "/elasticjob-cloud/config/job/j",
		"/elasticjob-cloud/state/disable/app/shop", "/elasticjob-cloud/state/disable/job/j",
		"/elasticjob-cloud/ha/election",
		"/elasticjob-cloud/extension/app/shop", "/elasticjob-cloud/extension/job/j", "/elasticjob-cloud/extension/status/j",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
