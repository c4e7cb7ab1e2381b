package kube

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// owners is the object of one job.
type owners struct {
	mu     sync.Mutex
	object string // "" if it's unknown
	exists []any  // the answers in order, a bool or an error each; the last one repeats
}

func (o *owners) ObjectName(string, string) (string, bool) { return o.object, o.object != "" }

func (o *owners) Exists(context.Context, string, string) (bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	answer := o.exists[0]
	if len(o.exists) > 1 {
		o.exists = o.exists[1:]
	}
	if err, failed := answer.(error); failed {
		return false, err
	}
	return answer.(bool), nil
}

func openOwned(t *testing.T, d *double, o *owners) *Engine {
	t.Helper()
	e, err := Open(Config{Clients: d.clients(t), Namespace: "runs", Owners: o})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// TestOwnerOfARun: a run belongs to its job's object by the object's own name, or to none if that
// is unknown, because the cluster deletes objects with a missing owner.
func TestOwnerOfARun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		object string
		want   []metav1.OwnerReference
	}{
		{"by-hand", []metav1.OwnerReference{{
			APIVersion: "cloud.elasticjob.dev/v1", Kind: "ElasticJob", Name: "by-hand", UID: "owner-1", Controller: new(true), BlockOwnerDeletion: new(false),
		}}},
		{"", nil},
	} {
		d := newDouble(t)
		r := shopRun()
		launch(t, openOwned(t, d, &owners{object: c.object, exists: []any{true}}), r)
		d.until(t, "the Job", func() bool { return d.objects["jobs/"+r.Name] != nil })
		d.mu.Lock()
		if diff := cmp.Diff(c.want, d.objects["jobs/"+r.Name].GetOwnerReferences()); diff != "" {
			t.Errorf("object %q (-want +got):\n%s", c.object, diff)
		}
		d.mu.Unlock()
	}
}

// TestCL25TasksOfADeletedJob: if a run's Job vanished with its owner, its tasks were killed; if
// only the Job was deleted, they are lost. Until that is known, nothing is reported.
func TestCL25TasksOfADeletedJob(t *testing.T) {
	t.Parallel()
	away := errors.New("the server does not answer")
	for name, c := range map[string]struct {
		exists []any
		state  string
		word   string
	}{
		"the object was deleted": {[]any{false}, string(tracing.StateKilled), `job "settlement.daily" was deleted`},
		"the run was deleted":    {[]any{true}, string(tracing.StateLost), "deleted outside of ElasticJob"},
		"it is known later":      {[]any{away, false}, string(tracing.StateKilled), "was deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDouble(t)
			e := openOwned(t, d, &owners{object: "settlement", exists: slices.Clone(c.exists)})
			s := follow(t, e)
			r := shopRun()
			launch(t, e, r)
			s.until(t, "three tasks run", func() bool { return s.count(tracing.StateRunning) == 3 })
			d.mu.Lock()
			d.deleteJob(d.objects["jobs/"+r.Name].(*batchv1.Job))
			d.mu.Unlock()
			s.until(t, "three tasks have ended", func() bool { return s.count(tracing.StateRunning) == 0 && len(s.ended) == 3 })
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, task := range s.tasks {
				if string(task.State) != c.state || !strings.Contains(task.Message, c.word) || s.ended[task.UID] != 1 {
					t.Errorf("shard %d is %s: %s, reported %d times; want %s", task.Shard, task.State, task.Message, s.ended[task.UID], c.state)
				}
			}
		})
	}
}
