package kube

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// The API server's fields for a token made for a pod.
const (
	extraPodName = "authentication.kubernetes.io/pod-name"
	extraPodUID  = "authentication.kubernetes.io/pod-uid"
)

const (
	// maxToken limits the tokens sent to the API server; real ones have 1 to 2 KiB.
	maxToken = 16 << 10
	// trustFor is how long an answer about a token is kept. Otherwise many shards would use up our
	// request limit.
	trustFor = time.Minute
	// maxTrusted is the number of answers kept.
	maxTrusted = 20_000
)

type reporter struct {
	job   string
	shard int
}

// Reporter returns the shard and the DAEMON job of the process with a token. A pod has the token
// next to [Config.EventsURL]. An invalid token is a cloud.ErrRefused; any other error is about us
// or the API server, and may be temporary.
func (e *Engine) Reporter(ctx context.Context, token string) (job string, shard int, err error) {
	return e.reporterAmong(ctx, token, []*Engine{e})
}

// reporterAmong is Reporter for the pods of several engines, including this one.
func (e *Engine) reporterAmong(ctx context.Context, token string, engines []*Engine) (job string, shard int, err error) {
	const what = "token of a process"
	if err := e.usable(ctx); err != nil {
		return "", 0, fmt.Errorf("%s: %w", what, err)
	}
	if token == "" || len(token) > maxToken {
		return "", 0, fmt.Errorf("%s: it has %d bytes, want 1 to %d: %w", what, len(token), maxToken, cloud.ErrRefused)
	}
	sum := sha256.Sum256([]byte(token))
	if known, found := e.trusted.Get(sum); found {
		r := known.(reporter)
		return r.job, r.shard, nil
	}
	at, name, uid, err := e.review(ctx, token, engines)
	if err != nil {
		return "", 0, fmt.Errorf("%s: %w", what, err)
	}
	r, err := at.reporter(ctx, name, uid)
	if err != nil {
		return "", 0, fmt.Errorf("%s: pod %s/%s: %w", what, at.cfg.Namespace, name, err)
	}
	e.trusted.Add(sum, r, trustFor)
	return r.job, r.shard, nil
}

// review asks the API server for the pod of a token, and finds the engine of its namespace.
func (e *Engine) review(ctx context.Context, token string, engines []*Engine) (at *Engine, pod string, uid types.UID, err error) {
	if e.cfg.Clients.Reviews == nil {
		return nil, "", "", errors.New("there is no client for token reviews; create Clients with Connect")
	}
	answer, err := e.cfg.Clients.Reviews.Create(ctx, &authv1.TokenReview{
		Spec: authv1.TokenReviewSpec{Token: token, Audiences: []string{EventsAudience}},
	}, metav1.CreateOptions{})
	switch {
	case apierrors.IsForbidden(err):
		// This is our own fault, so don't refuse the token.
		return nil, "", "", fmt.Errorf("the console may not create TokenReviews; install the events component of docs/cloud-operations.md: %w", err)
	case err != nil:
		return nil, "", "", fmt.Errorf("review it: %w", err)
	}
	s := answer.Status
	account, found := strings.CutPrefix(s.User.Username, "system:serviceaccount:")
	namespace, _, _ := strings.Cut(account, ":")
	index := slices.IndexFunc(engines, func(e *Engine) bool { return e.cfg.Namespace == namespace })
	switch {
	case !s.Authenticated || !slices.Contains(s.Audiences, EventsAudience):
		return nil, "", "", fmt.Errorf("the API server rejects it for the audience %s: %s: %w", EventsAudience, cut(s.Error, maxWord), cloud.ErrRefused)
	case !found || index < 0 || len(s.User.Extra[extraPodName]) != 1 || len(s.User.Extra[extraPodUID]) != 1:
		return nil, "", "", fmt.Errorf("it belongs to %q, not to a pod in namespace %s: %w", cut(s.User.Username, maxWord), namespacesOf(engines), cloud.ErrRefused)
	}
	return engines[index], s.User.Extra[extraPodName][0], types.UID(s.User.Extra[extraPodUID][0]), nil
}

// reporter returns the shard of a pod, from the watch or, if that is late, from the API server.
func (e *Engine) reporter(ctx context.Context, name string, uid types.UID) (reporter, error) {
	e.mu.Lock()
	for _, d := range e.runs {
		if pod := d.live[uid]; pod != nil && d.set != nil {
			r := reporterIn(d.set, pod)
			e.mu.Unlock()
			return r, nil
		}
	}
	e.mu.Unlock()
	pod, err := e.pods.Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return reporter{}, fmt.Errorf("it no longer exists: %w", cloud.ErrRefused)
	case err != nil:
		return reporter{}, fmt.Errorf("read it: %w", err)
	}
	return e.reporterOf(ctx, pod, uid)
}

func (e *Engine) reporterOf(ctx context.Context, pod *corev1.Pod, uid types.UID) (reporter, error) {
	_, known := ordinalOf(pod)
	owner := metav1.GetControllerOf(pod)
	if pod.UID != uid || !known || owner == nil || owner.Kind != "StatefulSet" {
		return reporter{}, fmt.Errorf("it doesn't belong to a DAEMON job: %w", cloud.ErrRefused)
	}
	set, err := e.sets.Get(ctx, owner.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err) || err == nil && (set.UID != owner.UID || !own(set)):
		return reporter{}, fmt.Errorf("its StatefulSet %s doesn't belong to a DAEMON job: %w", owner.Name, cloud.ErrRefused)
	case err != nil:
		return reporter{}, fmt.Errorf("read its StatefulSet: %w", err)
	}
	return reporterIn(set, pod), nil
}

func reporterIn(set *appsv1.StatefulSet, pod *corev1.Pod) reporter {
	if set.Annotations[noteDaemon] == cloud.DaemonRegistry {
		return reporter{job: set.Annotations[noteJobName], shard: cloud.AnyShard}
	}
	shard, _ := ordinalOf(pod)
	return reporter{job: set.Annotations[noteJobName], shard: shard}
}
