package kube

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// readYAML reads one document into an object, like kubectl.
func readYAML(t *testing.T, text []byte, into any) {
	t.Helper()
	var document any
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	asJSON, err := json.Marshal(document)
	if err == nil {
		err = json.Unmarshal(asJSON, into)
	}
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}

// TestManifestAsYAML: the shown object should equal the object that Launch would create, for any
// texts, with its owner and namespace, and without fields that others write.
func TestManifestAsYAML(t *testing.T) {
	t.Parallel()
	e := openOwned(t, newDouble(t), &owners{})
	e.cfg.EventsURL = reporting.EventsURL
	odd := map[string]string{"A": "true", "B": "1e3", "C": "null", "D": "a\nb: c\n", "E": "<&> # ! *", "F": "2026-11-22", "G": "", "H": " 是 ", "I": "~", "J": "0x1f", "K": "\ttab\u2028"}
	r := sampleRun(func(r *cloud.Run) { r.App.Env = odd })
	text, err := e.Manifest(r)
	if err != nil {
		t.Fatal(err)
	}
	want, err := manifest(r, e.cfg.Policy)
	if err != nil {
		t.Fatal(err)
	}
	want.Namespace = e.cfg.Namespace
	e.own(want, r.Job.Name, r.Owner)
	var got batchv1.Job
	readYAML(t, text, &got)
	if diff := cmp.Diff(*want, got); diff != "" {
		t.Errorf("%s\n%s", diff, text)
	}
	for _, word := range []string{"\nstatus:", "creationTimestamp", ": null\n"} {
		if strings.Contains(string(text), word) {
			t.Errorf("%q is in\n%s", word, text)
		}
	}
	if !strings.HasPrefix(string(text), "kind: Job\napiVersion: batch/v1\nmetadata:\n  name: ") {
		t.Errorf("begins with %.80s", text)
	}

	d := sampleDaemon()
	if text, err = e.Manifest(cloud.Run{Name: cloud.DaemonRunName(d.Job.Name), Job: d.Job, App: d.App, Owner: d.Owner, Origin: cloud.OriginDaemon}); err != nil {
		t.Fatal(err)
	}
	set, err := daemonManifest(d, Config{Policy: e.cfg.Policy, EventsURL: reporting.EventsURL})
	if err != nil {
		t.Fatal(err)
	}
	set.Namespace = e.cfg.Namespace
	e.own(set, d.Job.Name, d.Owner)
	var gotSet appsv1.StatefulSet
	readYAML(t, text, &gotSet)
	if diff := cmp.Diff(*set, gotSet); diff != "" {
		t.Errorf("%s\n%s", diff, text)
	}

	if _, err := e.Manifest(sampleRun(func(r *cloud.Run) { r.App.Image = "" })); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "image") {
		t.Errorf("an application without an image: %v", err)
	}
}
