package kube

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// command is an order for a run or one of its pods. It's an annotation of the Job, so any leader
// knows why pods no longer exist.
type command struct {
	Way    cloud.Way `json:"way"`
	By     string    `json:"by,omitempty"`
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"at"`
	// Shard is for a single pod.
	Shard int `json:"shard,omitempty"`
}

const (
	// maxWord is the length of a name or a reason in an annotation.
	maxWord = 500
	// maxCause is the length of a task's message.
	maxCause = 4000
)

func newCommand(how cloud.Ending, at time.Time, shard int) command {
	return command{Way: how.Way, By: cut(how.By, maxWord), Reason: cut(how.Reason, maxWord), At: at.UTC(), Shard: max(shard, 0)}
}

func (o command) String() string {
	text := "ended"
	switch o.Way {
	case cloud.EndSuspend:
		text = "suspended"
	case cloud.EndError:
		text = "given up"
	}
	if o.By != "" {
		text += " by " + o.By
	}
	if o.Reason != "" {
		text += ": " + o.Reason
	}
	return text
}

// commandOf parses an annotation. It returns false if there is none.
func commandOf(annotations map[string]string, note string) (command, bool) {
	text, found := annotations[note]
	if !found {
		return command{}, false
	}
	var o command
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		// It was edited, but it still shows that the end was requested.
		return command{Way: cloud.EndKill, Reason: "the annotation " + note + " cannot be read"}, true
	}
	return o, true
}

// killed returns the commands for single pods by UID.
func killed(job *batchv1.Job) map[types.UID]command {
	commands := make(map[types.UID]command)
	for note := range job.Annotations {
		if uid, found := strings.CutPrefix(note, noteKilled); found {
			commands[types.UID(uid)], _ = commandOf(job.Annotations, note)
		}
	}
	return commands
}

// condition returns the Job's condition of a type if it's true, else nil.
func condition(job *batchv1.Job, kinds ...batchv1.JobConditionType) *batchv1.JobCondition {
	for i, c := range job.Status.Conditions {
		if slices.Contains(kinds, c.Type) && c.Status == corev1.ConditionTrue {
			return &job.Status.Conditions[i]
		}
	}
	return nil
}

// ended reports whether the Job never changes again.
func ended(job *batchv1.Job) bool {
	return condition(job, batchv1.JobComplete, batchv1.JobFailed) != nil
}

func suspended(job *batchv1.Job) bool { return deref(job.Spec.Suspend, false) }

// total is the largest number of concurrent pods.
func total(job *batchv1.Job) int { return int(deref(job.Spec.Completions, 0)) }

func deref[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// shardsOf returns the shards of the Job's indexes, nil if they are the same.
func shardsOf(job *batchv1.Job) []int {
	text := job.Annotations[noteShards]
	if text == "" {
		return nil
	}
	words := strings.Split(text, ",")
	shards := make([]int, 0, min(len(words), cloud.MaxShards))
	for _, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil || len(shards) == cloud.MaxShards {
			return nil // It was edited; use the pods' numbers.
		}
		shards = append(shards, n)
	}
	return shards
}

func shardOf(shards []int, index int) int {
	if index < len(shards) {
		return shards[index]
	}
	return index
}

// statusOf returns the status of a Job's run. began is the start of its first task, according to pods.
func statusOf(job *batchv1.Job, began time.Time) cloud.RunStatus {
	status := cloud.RunStatus{
		Name: job.Name, JobName: job.Annotations[noteJobName], AppName: job.Annotations[noteAppName], Owner: job.Annotations[noteOwner],
		Origin: cloud.Origin(job.Annotations[noteKind]), Count: total(job), State: cloud.RunWaiting, Created: utc(job.CreationTimestamp), Started: began,
	}
	status.Shards = status.Count
	if n, err := strconv.Atoi(job.Annotations[noteTotal]); err == nil {
		status.Shards = n
	}
	if at, err := time.Parse(time.RFC3339, job.Annotations[noteScheduledAt]); err == nil {
		status.Fire = at.UTC()
	} else if at, known := cloud.FireOf(job.Name); known {
		status.Fire = at
	}
	s := job.Status
	if began.IsZero() && (s.Succeeded > 0 || s.Failed > 0 || deref(s.Ready, 0) > 0) {
		status.Started = utc(deref(s.StartTime, metav1.Time{})) // Its pods no longer exist, or aren't reported yet.
	}
	stopped, isStopped := commandOf(job.Annotations, noteEnded)
	switch done := condition(job, batchv1.JobComplete, batchv1.JobFailed); {
	case done != nil:
		status.State, status.Message = outcome(job, done, stopped, isStopped)
		status.Ended = latest(utc(done.LastTransitionTime), status.Started, status.Created)
	case isStopped:
		status.State, status.Message = cloud.RunRunning, "is being "+stopped.String()
		if status.Started.IsZero() {
			status.State = cloud.RunWaiting
		}
	case suspended(job):
		status.State, status.Message = pause(job)
	case !status.Started.IsZero():
		status.State = cloud.RunRunning
	}
	return status
}

// pause returns the state of a run if its pods may not be created, and why.
func pause(job *batchv1.Job) (cloud.RunState, string) {
	if o, found := commandOf(job.Annotations, noteSuspended); found {
		return cloud.RunSuspended, o.String()
	}
	if queue := job.Labels[labelQueue]; queue != "" {
		return cloud.RunWaiting, "waits for queue " + queue
	}
	return cloud.RunSuspended, "suspended outside of ElasticJob"
}

// outcome returns how a run ended, and why.
func outcome(job *batchv1.Job, done *batchv1.JobCondition, stopped command, isStopped bool) (cloud.RunState, string) {
	switch {
	case done.Type == batchv1.JobComplete:
		return cloud.RunSucceeded, ""
	case isStopped && stopped.Way == cloud.EndKill:
		return cloud.RunKilled, stopped.String()
	case isStopped:
		return cloud.RunFailed, stopped.String()
	case done.Reason == batchv1.JobReasonDeadlineExceeded:
		return cloud.RunFailed, "deadline: it took longer than " + deadline(job).String()
	}
	failed := expand(job.Status.FailedIndexes, shardsOf(job))
	commands := slices.Collect(maps.Values(killed(job)))
	only := len(failed) > 0
	for _, shard := range failed {
		only = only && slices.ContainsFunc(commands, func(o command) bool { return o.Shard == shard && o.Way == cloud.EndKill })
	}
	if only {
		return cloud.RunKilled, "shards " + shardList(failed) + " were ended"
	}
	if len(failed) > 0 {
		return cloud.RunFailed, cut("shards "+shardList(failed)+" failed", maxCause)
	}
	return cloud.RunFailed, cut(strings.TrimSpace(done.Reason+": "+done.Message), maxCause)
}

func deadline(job *batchv1.Job) time.Duration {
	return time.Duration(deref(job.Spec.ActiveDeadlineSeconds, 0)) * time.Second
}

// expand parses a list of indexes such as "1,3-5" and returns their shards.
func expand(list *string, shards []int) []int {
	if list == nil || *list == "" {
		return nil
	}
	var found []int
	for part := range strings.SplitSeq(*list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if isRange {
			to, _ = strconv.Atoi(last)
		}
		if err != nil || from < 0 || to >= cloud.MaxShards {
			return found
		}
		for i := from; i <= to; i++ {
			found = append(found, shardOf(shards, i))
		}
	}
	return found
}

// attemptOf counts attempts at the pod's index. The Job controller notes the earlier ones in each pod.
func attemptOf(pod *corev1.Pod) int {
	return 1 + countOf(pod, batchv1.JobIndexFailureCountAnnotation) + countOf(pod, batchv1.JobIndexIgnoredFailureCountAnnotation)
}

// countOf returns the number in an annotation, or 0.
func countOf(pod *corev1.Pod, note string) int {
	n, _ := strconv.Atoi(pod.Annotations[note])
	return max(n, 0)
}

// retries reports whether the Job controller starts another pod for the shard of an ended task. Its
// pause before that grows with each failure.
func retries(job *batchv1.Job, pod *corev1.Pod, state cloud.State) bool {
	limit := deref(job.Spec.BackoffLimitPerIndex, 0)
	switch {
	case !cloud.Failure(state) || state == tracing.StateError || limit == 0:
		return false
	case disruption(pod) == nil && countOf(pod, batchv1.JobIndexFailureCountAnnotation) >= int(limit):
		return false
	}
	index, _ := indexOf(pod)
	return !slices.Contains(expand(job.Status.FailedIndexes, nil), index) // An exit code forbids another one.
}

// indexOf returns the pod's completion index, or false.
func indexOf(pod *corev1.Pod) (int, bool) {
	n, err := strconv.Atoi(pod.Annotations[batchv1.JobCompletionIndexAnnotation])
	return n, err == nil && n >= 0 && n < cloud.MaxShards
}

func utc(t metav1.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

func latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// cut returns at most the given number of bytes in whole characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

func (o command) encode() string {
	text, err := json.Marshal(o)
	if err != nil {
		panic(fmt.Sprintf("kube: %v", err)) // Texts, a time and a number can always be encoded.
	}
	return string(text)
}
