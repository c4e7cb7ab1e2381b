package jobtree

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestRunsOnTheWire pins the format for other processes.
func TestRunsOnTheWire(t *testing.T) {
	t.Parallel()
	ns, err := NewNamespace("billing")
	if err != nil {
		t.Fatal(err)
	}
	job, due := ns.Job("invoices"), time.UnixMilli(1795338000000)
	const id = "0193a5b0-7c11-7000-8000-5f2a9c31d0e4"
	for got, want := range map[string]string{
		job.RunsQueued(RunName(due, id)): "/billing/invoices/extension/runs/queue/5-1795338000000-" + id,
		job.RunsBucket(3):                "/billing/invoices/extension/runs/due/03",
		job.RunsActiveAll():              "/billing/invoices/extension/runs/active/all",
		job.RunsActiveShard(7):           "/billing/invoices/extension/runs/active/7",
		job.RunsEnded(due, id):           "/billing/invoices/extension/runs/done/1795338000000-" + id,
		job.RunsKey("invoices-2026-10"):  "/billing/invoices/extension/runs/keys/b/a8ef09df527243e366973f5df76dda0",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	request := RunRequest{
		Version: 1, ID: id, At: 1795337999981, By: RunBy{Kind: "api", Name: "root", From: "console 10.0.0.2"},
		Params: json.RawMessage(`{"month":"2026-10"}`), Due: 1795338000000, Expires: 1795942800000, Assign: jobrun.AssignOne, Overlap: "queue",
		Retries: 2, Backoff: 60000, Attempt: 1, Key: "invoices-2026-10",
	}
	data, err := request.Encode()
	if want := `{"v":1,"id":"` + id + `","at":1795337999981,"by":{"kind":"api","name":"root","from":"console 10.0.0.2"},"params":{"month":"2026-10"},` +
		`"due":1795338000000,"expires":1795942800000,"deal":"one","overlap":"queue","retries":2,"backoff":60000,"attempt":1,"key":"invoices-2026-10"}`; err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
	record := RunRecord{
		RunRequest: RunRequest{Version: 1, ID: id, Assign: jobrun.AssignEach, Attempt: 1}, Life: "k1", Open: RunOpen{At: 7, By: "10.0.0.7@-@17"}, Total: 8,
		Waiting: RunShards{6, 7}, OK: RunShards{0, 1, 2, 3}, Claims: map[int]RunClaim{4: {"10.0.0.8@-@9", "100a3f", "k3", 9}},
	}
	data, err = record.Encode()
	if want := `{"v":1,"id":"` + id + `","at":0,"by":{},"due":0,"deal":"each","attempt":1,"life":"k1","open":{"at":7,"by":"10.0.0.7@-@17"},"total":8,"wait":"6-7","ok":"0-3",` +
		`"run":{"4":{"i":"10.0.0.8@-@9","s":"100a3f","n":"k3","at":9}}}`; err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}

// TestRunNodesKeepWhatTheyDoNotKnow: a rewrite should keep the additions of a later version.
func TestRunNodesKeepWhatTheyDoNotKnow(t *testing.T) {
	t.Parallel()
	const later = `"zebra":{"a":[1,2]}`
	for name, rewrite := range map[string]func(data []byte) ([]byte, error){
		"request": func(data []byte) ([]byte, error) {
			r, err := DecodeRunRequest(data)
			if err != nil {
				return nil, err
			}
			r.Attempt++
			return r.Encode()
		},
		"record": func(data []byte) ([]byte, error) {
			r, err := DecodeRunRecord(data)
			if err != nil {
				return nil, err
			}
			r.Attempt++
			return r.Encode()
		},
		"outcome": func(data []byte) ([]byte, error) {
			o, err := DecodeRunOutcome(data)
			if err != nil {
				return nil, err
			}
			o.Attempt++
			return o.Encode()
		},
	} {
		data, err := rewrite([]byte(`{"v":1,"id":"x","attempt":1,"life":"k",` + later + `}`))
		if err != nil || !strings.Contains(string(data), later) || !strings.Contains(string(data), `"attempt":2`) {
			t.Errorf("%s: %s, %v", name, data, err)
		}
		for _, bad := range []string{"", "x", "[]", `{"v":2,"id":"x"}`, `{"v":1,"life":"k","wait":"0-99999999999"}`, `{"v":1,"attempt":"x"}`} {
			if data, err := rewrite([]byte(bad)); err == nil && !(strings.Contains(bad, "wait") && name != "record") {
				t.Errorf("%s: %q is read, and written as %s", name, bad, data)
			}
		}
	}
}

// TestRunShards: ranges should be readable again, and bounded.
func TestRunShards(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := RunShards(nil).With(rapid.SliceOf(rapid.IntRange(0, 300)).Draw(t, "shards")...)
		var got RunShards
		if err := got.UnmarshalText([]byte(want.String())); err != nil || !cmp.Equal(want, got, cmpopts.EquateEmpty()) {
			t.Fatalf("%s is read as %v: %v", want, got, err)
		}
		for _, n := range want {
			if !got.Has(n) || got.Without(n).Has(n) {
				t.Fatalf("%v and shard %d", got, n)
			}
		}
	})
	for text, want := range map[string]string{"": "", "3": "3", "0-3,7": "0-3,7", "7,0-3,2-4": "0-4,7", ",,1": "1"} {
		var s RunShards
		if err := s.UnmarshalText([]byte(text)); err != nil || s.String() != want {
			t.Errorf("%q is read as %q: %v", text, s, err)
		}
	}
	for _, text := range []string{"x", "1-", "-1", "3-1", "0-100000", "007", "+1", "1 2"} {
		var s RunShards
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

// TestRunNames: sorted names should be in the order of their times.
func TestRunNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := func(label string) time.Time {
			return time.UnixMilli(rapid.Int64Range(0, 9_999_999_999_999).Draw(t, label))
		}
		a, b := at("a"), at("b")
		if (RunName(a, "x") < RunName(b, "x")) != a.Before(b) {
			t.Fatalf("%v and %v", a, b)
		}
		due, id, ok := ParseRunName(RunName(a, "some-id"))
		if !ok || !due.Equal(a) || id != "some-id" {
			t.Fatalf("%v, %s, %t", due, id, ok)
		}
	})
	for _, name := range []string{"", "x", "5-1", "5-1795338000000", "6-1795338000000-x", "5-179533800000x-y", "5-1795338000000x-y"} {
		if _, _, ok := ParseRunName(name); ok {
			t.Errorf("%q is a request's", name)
		}
	}
	counts := make(map[int]int)
	for n := range 1000 {
		id := RunName(time.Unix(int64(n), 0), "")
		small, large := RunBucket(id, 0), RunBucket(id, RunLarge+1)
		if small >= RunBuckets/2 || large != small+RunBuckets/2 {
			t.Fatalf("buckets %d and %d", small, large)
		}
		counts[small]++
	}
	if len(counts) != RunBuckets/2 {
		t.Errorf("only %d buckets are used", len(counts))
	}
}

// TestDecodeHold: unreadable data holds everything.
func TestDecodeHold(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]jobrun.Held{
		`{"what":"schedule","by":"root"}`: jobrun.HeldSchedule, `{"what":"requests"}`: jobrun.HeldRequests, `{"what":"all"}`: jobrun.HeldAll,
		"": jobrun.HeldAll, "x": jobrun.HeldAll, `{"what":"nothing"}`: jobrun.HeldAll,
	} {
		if got := DecodeHold([]byte(data)); got.What != want {
			t.Errorf("%q holds %s", data, got.What)
		}
	}
	if none := (Hold{}); none.Schedule() || none.Requests() {
		t.Error("nothing holds something")
	}
}
