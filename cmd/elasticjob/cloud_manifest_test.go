package main

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// TestCloudManifestPrintsYAML as the console gave it, and says why there is none.
func TestCloudManifestPrintsYAML(t *testing.T) {
	t.Parallel()
	const text = "kind: Job\napiVersion: batch/v1\n"
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/cloud/jobs/a/b/manifest" {
			w.WriteHeader(http.StatusNotImplemented)
			fmt.Fprint(w, `{"code":"no_manifest","message":"The engine local starts processes itself: they have no manifest.","hint":"Look at the job."}`)
			return
		}
		fmt.Fprint(w, text)
	})
	if stdout := d.cloud(t, cli.ExitOK, nil, "manifest", "a/b"); stdout != text {
		t.Errorf("printed %q", stdout)
	}
	if asked := d.requests(); len(asked) != 1 || asked[0].Method != http.MethodGet || asked[0].URI != "/api/cloud/jobs/a%2Fb/manifest" {
		t.Errorf("asked %+v", asked)
	}
	d.cloud(t, cli.ExitOK, []string{`"manifest": "kind: Job\napiVersion: batch/v1\n"`}, "manifest", "a/b", "-o", "json")
	d.cloud(t, cli.ExitFailure, []string{"this console cannot do it: The engine local starts processes itself", "Look at the job."}, "manifest", "other")
}
