package kube

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// maxReasons is the number of different reasons returned.
	maxReasons = 20
	// maxEvents is the number of a Job's events read.
	maxEvents = 100
)

// Explain implements [cloud.Engine]. Tasks that wait for the same reason are counted in one.
func (e *Engine) Explain(ctx context.Context, name string) ([]cloud.Reason, error) {
	what := "explain run " + name
	if set, ok := setOf(name); ok {
		return e.explainDaemon(ctx, what, set)
	}
	job, err := e.read(ctx, what, name)
	if err != nil {
		return nil, err
	}
	if ended(job) {
		return nil, nil
	}
	if suspended(job) {
		reason := cloud.Reason{Code: "Suspended", Count: total(job), Since: utc(job.CreationTimestamp)}
		_, reason.Text = pause(job)
		if job.Labels[labelQueue] != "" {
			reason.Code = "Queued"
		}
		if c := condition(job, batchv1.JobSuspended); c != nil {
			reason.Since = utc(c.LastTransitionTime)
		}
		return []cloud.Reason{reason}, nil
	}
	reasons, present := e.waitingTasks(job)
	if missing := min(total(job), int(deref(job.Spec.Parallelism, 1))) - present; missing > 0 {
		more, err := e.missingPods(ctx, job.UID, missing)
		if err != nil {
			return nil, Translate(what, err)
		}
		reasons = append(reasons, more...)
	}
	return sortReasons(reasons), nil
}

// sortReasons sorts by the number of tasks, and limits the reasons.
func sortReasons(reasons []cloud.Reason) []cloud.Reason {
	slices.SortStableFunc(reasons, func(a, b cloud.Reason) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Code, b.Code)) })
	return reasons[:min(len(reasons), maxReasons)]
}

// waitingTasks groups the tasks that have not started by reason, and counts the shards with a task
// that is active or succeeded.
func (e *Engine) waitingTasks(job *batchv1.Job) (reasons []cloud.Reason, present int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runs[job.UID]
	if r == nil {
		return nil, 0
	}
	for _, list := range r.byShard {
		t := list[len(list)-1].current
		if !cloud.Failure(t.State) || attemptOf(list[len(list)-1].pod) > 1 && cloud.Ended(t.State) {
			present++
		}
	}
	return r.waiting(), present
}

// waiting groups the tasks that have not started by reason.
func (r *run) waiting() (reasons []cloud.Reason) {
	for _, list := range r.byShard {
		t := list[len(list)-1].current
		if t.State != tracing.StateStaging || t.Message == "" {
			continue
		}
		code, text, _ := strings.Cut(t.Message, ": ")
		at := slices.IndexFunc(reasons, func(r cloud.Reason) bool { return r.Code == code && r.Text == text })
		if at < 0 {
			reasons = append(reasons, cloud.Reason{Code: code, Text: text, Since: t.Created})
			at = len(reasons) - 1
		}
		reasons[at].Count++
		if t.Created.Before(reasons[at].Since) {
			reasons[at].Since = t.Created
		}
	}
	return reasons
}

// missingPods returns why pods are missing, with the controller's message: a quota, a webhook, or
// the pause before another attempt.
func (e *Engine) missingPods(ctx context.Context, owner types.UID, missing int) ([]cloud.Reason, error) {
	events, err := e.events.List(ctx, metav1.ListOptions{
		FieldSelector: fmt.Sprintf("involvedObject.uid=%s,reason=FailedCreate", owner), Limit: maxEvents,
	})
	if err != nil {
		return nil, err
	}
	var newest *corev1.Event
	for i, event := range events.Items {
		if newest == nil || eventTime(event).After(eventTime(*newest)) {
			newest = &events.Items[i]
		}
	}
	if newest == nil {
		return nil, nil
	}
	return []cloud.Reason{{Code: newest.Reason, Text: newest.Message, Count: missing, Since: utc(newest.FirstTimestamp)}}, nil
}

func eventTime(e corev1.Event) time.Time {
	return latest(utc(e.LastTimestamp), e.EventTime.UTC(), utc(e.CreationTimestamp))
}
