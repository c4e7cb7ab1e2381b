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
	missing := min(total(job), int(deref(job.Spec.Parallelism, 1))) - present
	return e.explained(ctx, what, job.UID, reasons, missing)
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
		reasons = counted(reasons, cloud.Reason{Code: code, Text: text, Since: t.Created})
	}
	return reasons
}

// counted counts a reason of a task: as another task of the same reason, or as a new one.
func counted(reasons []cloud.Reason, one cloud.Reason) []cloud.Reason {
	at := slices.IndexFunc(reasons, func(r cloud.Reason) bool { return r.Code == one.Code && r.Text == one.Text })
	if at < 0 {
		at, reasons = len(reasons), append(reasons, one)
	}
	reasons[at].Count++
	if one.Since.Before(reasons[at].Since) {
		reasons[at].Since = one.Since
	}
	return reasons
}

// explained adds why pods are missing, with the controller's message: a quota, a webhook, or the pause
// before another attempt. It sorts the reasons by their number of tasks, and limits them.
func (e *Engine) explained(
	ctx context.Context, what string, owner types.UID, reasons []cloud.Reason, missing int,
) ([]cloud.Reason, error) {
	if missing > 0 {
		events, err := e.events.List(ctx, metav1.ListOptions{
			FieldSelector: fmt.Sprintf("involvedObject.uid=%s,reason=FailedCreate", owner), Limit: maxEvents,
		})
		if err != nil {
			return nil, Translate(what, err)
		}
		if len(events.Items) > 0 {
			newest := slices.MaxFunc(events.Items, func(a, b corev1.Event) int { return eventTime(a).Compare(eventTime(b)) })
			reasons = append(reasons, cloud.Reason{
				Code: newest.Reason, Text: newest.Message, Count: missing, Since: utc(newest.FirstTimestamp),
			})
		}
	}
	slices.SortStableFunc(reasons, func(a, b cloud.Reason) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Code, b.Code)) })
	return reasons[:min(len(reasons), maxReasons)], nil
}

func eventTime(e corev1.Event) time.Time {
	return latest(utc(e.LastTimestamp), e.EventTime.UTC(), utc(e.CreationTimestamp))
}
