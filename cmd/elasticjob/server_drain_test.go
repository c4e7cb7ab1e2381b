package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// TestDrain disables a server, and waits until no shard runs on it. It outlives an outage of the console.
func TestDrain(t *testing.T) {
	t.Parallel()
	var looks, forever atomic.Int32
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/api/servers/10.0.0.9/jobs":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"code":"not_found","message":"There is no such server.","requestId":"r"}`)
		case r.URL.Path == "/api/servers":
			fmt.Fprint(w, `[{"serverIp":"10.0.0.1"}]`)
		case strings.HasSuffix(r.URL.Path, "/jobs"):
			fmt.Fprint(w, `[{"jobName":"invoices"},{"jobName":"removed"}]`)
		case r.URL.Path == "/api/jobs/removed/sharding":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"code":"not_found","message":"There is no such job.","requestId":"r"}`)
		case strings.HasSuffix(r.URL.Path, "/sharding"):
			switch look := looks.Add(1); {
			case look == 2:
				w.WriteHeader(http.StatusServiceUnavailable)
				fmt.Fprint(w, `{"code":"registry_down","message":"ZooKeeper is away.","requestId":"r"}`)
			case look < 4 || forever.Load() > 0:
				fmt.Fprint(w, `[{"item":0,"runningOn":"10.0.0.1@-@7"},{"item":1,"runningOn":"10.0.0.10@-@8"},{"item":2}]`)
			default:
				fmt.Fprint(w, `[{"item":1,"runningOn":"10.0.0.10@-@8"}]`)
			}
		default:
			fmt.Fprint(w, "{}")
		}
	})
	said := d.asks(t, 0, "nothing runs on server 10.0.0.1\n", "server", "drain", "10.0.0.1")
	for _, want := range []string{"server 10.0.0.1 is disabled for 2 jobs\n", "running: invoices shard 0\n", "ZooKeeper is away; it is asked again"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q:\n%s", want, said)
		}
	}
	if asked := d.requests(); asked[1].Method != http.MethodPost || asked[1].URI != "/api/servers/10.0.0.1/disable" {
		t.Errorf("%+v", asked[1])
	}
	forever.Store(1)
	said = d.asks(t, cli.ExitFailure, "", "server", "drain", "10.0.0.1", "--timeout=300ms")
	if !strings.Contains(said, "shards still run on server 10.0.0.1") || !strings.Contains(said, "server enable 10.0.0.1") {
		t.Error(said)
	}
	if said := d.asks(t, cli.ExitFailure, "", "server", "drain", "10.0.0.9"); !strings.Contains(said, "Did you mean 10.0.0.1?") {
		t.Error(said)
	}
}

// TestPartsOfIDs: the beginning or the end of the id of a run is enough if no other run has it.
func TestPartsOfIDs(t *testing.T) {
	t.Parallel()
	const other = "0193a5b0-7c11-7000-8000-5f2a9c31ffff"
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/jobs/j/requested-runs":
			fmt.Fprint(w, `{"rows":[`+stateOf("RUNNING", "")+`]}`)
		case "/api/jobs/j/runs":
			fmt.Fprint(w, `{"rows":[{"id":"`+other+`"},{"id":"`+aRun+`"}]}`)
		case "/api/jobs/j/requested-runs/" + aRun, "/api/jobs/j/requested-runs/" + aRun + "/cancel":
			fmt.Fprint(w, stateOf("CANCELLED", ""))
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"code":"not_found","message":"There is no such run.","requestId":"r"}`)
		}
	})
	d.asks(t, 0, "run "+aRun+": CANCELLED\n", "run", "cancel", "j", "31d0e4")
	if said := d.asks(t, 0, "", "run", "show", "j", "d0e4"); !strings.Contains(said, aRun) {
		t.Error(said)
	}
	d.asks(t, 0, "run "+aRun+": CANCELLED\n", "run", "cancel", "j", aRun)
	if asked := d.requests(); !strings.HasSuffix(asked[len(asked)-1].URI, "/cancel") || strings.Contains(asked[len(asked)-2].URI, "limit=200") {
		t.Error("a whole id was looked for")
	}
	if said := d.asks(t, cli.ExitFailure, "", "run", "cancel", "j", "0193a5b0"); !strings.Contains(said, "2 runs of job \"j\"") || !strings.Contains(said, other) || !strings.Contains(said, aRun) {
		t.Error(said)
	}
	for _, unknown := range []string{"abcdef", "d0e"} {
		if said := d.asks(t, cli.ExitFailure, "", "run", "cancel", "j", unknown); !strings.Contains(said, "no such run") {
			t.Error(said)
		}
	}
}
