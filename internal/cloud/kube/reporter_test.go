package kube

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	authv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// tokenOf is the API server's answer about a pod's token. d.mu must be held.
func (d *double) tokenOf(pod string, change ...func(*authv1.TokenReviewStatus)) authv1.TokenReviewStatus {
	s := authv1.TokenReviewStatus{Authenticated: true, Audiences: []string{EventsAudience}, User: authv1.UserInfo{
		Username: "system:serviceaccount:runs:default",
		Extra:    map[string]authv1.ExtraValue{extraPodName: {pod}, extraPodUID: {"nobody"}},
	}}
	if o := d.objects["pods/"+pod]; o != nil {
		s.User.Extra[extraPodUID] = authv1.ExtraValue{string(o.GetUID())}
	}
	for _, c := range change {
		c(&s)
	}
	return s
}

// TestReporter: a token identifies its shard if it's for us and from a living pod of ours.
func TestReporter(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	keep(t, e)
	launch(t, e, shopRun())
	s.until(t, "six tasks run", func() bool { return s.count(tracing.StateRunning) == 6 })
	d.mu.Lock()
	runPod := ""
	for _, o := range d.objects {
		if owner := metav1.GetControllerOf(o); owner != nil && owner.Kind == "Job" {
			runPod = o.GetName()
		}
	}
	pod := "feed-live-55f80be4-2"
	d.tokens = map[string]authv1.TokenReviewStatus{
		"good":       d.tokenOf(pod),
		"gone":       d.tokenOf("feed-live-55f80be4-7"),
		"of a run":   d.tokenOf(runPod),
		"of no pod":  d.tokenOf(pod, func(s *authv1.TokenReviewStatus) { s.User.Extra = nil }),
		"earlier":    d.tokenOf(pod, func(s *authv1.TokenReviewStatus) { s.User.Extra[extraPodUID] = authv1.ExtraValue{"earlier"} }),
		"elsewhere":  d.tokenOf(pod, func(s *authv1.TokenReviewStatus) { s.User.Username = "system:serviceaccount:other:default" }),
		"a person's": d.tokenOf(pod, func(s *authv1.TokenReviewStatus) { s.User.Username = "root" }),
		"for others": d.tokenOf(pod, func(s *authv1.TokenReviewStatus) { s.Audiences = []string{"https://kubernetes.default.svc"} }),
		"no longer":  d.tokenOf(pod, func(s *authv1.TokenReviewStatus) { s.Authenticated = false }),
	}
	d.mu.Unlock()
	var asked atomic.Int32
	d.mu.Lock()
	d.meet = func(r *http.Request) int {
		if strings.HasSuffix(r.URL.Path, "/tokenreviews") {
			asked.Add(1)
		}
		return 0
	}
	d.mu.Unlock()
	for range 3 {
		if job, shard, err := e.Reporter(t.Context(), "good"); err != nil || job != "feed.live" || shard != 2 {
			t.Errorf("Reporter = %q, %d, %v", job, shard, err)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the API server was asked %d times about one token", n)
	}
	for _, token := range []string{"", strings.Repeat("x", maxToken+1), "unknown", "gone", "of a run", "of no pod", "earlier", "elsewhere", "a person's", "for others", "no longer"} {
		if job, _, err := e.Reporter(t.Context(), token); !errors.Is(err, cloud.ErrRefused) || job != "" {
			t.Errorf("%.20q: %q, %v; want ErrRefused", token, job, err)
		}
	}
	lateOrAway(t, d, e)
}

// lateOrAway: a late watch doesn't matter, and our own errors don't refuse a token.
func lateOrAway(t *testing.T, d *double, e *Engine) {
	t.Helper()
	e.mu.Lock()
	e.runs = make(map[types.UID]*run)
	e.mu.Unlock()
	e.trusted.RemoveAll(func(any) bool { return true })
	if job, shard, err := e.Reporter(t.Context(), "good"); err != nil || job != "feed.live" || shard != 2 {
		t.Errorf("Reporter = %q, %d, %v", job, shard, err)
	}
	for _, code := range []int{http.StatusForbidden, http.StatusBadRequest} {
		d.mu.Lock()
		d.meet = func(*http.Request) int { return code }
		d.mu.Unlock()
		if _, _, err := e.Reporter(t.Context(), "other"); err == nil || errors.Is(err, cloud.ErrRefused) {
			t.Errorf("with answer %d: %v; want an error other than a refusal", code, err)
		}
	}
}
