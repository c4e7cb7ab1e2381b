package kube

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// setOf returns the StatefulSet of a DAEMON job's run, or false for the run of a fire time or a request.
func setOf(run string) (set string, ok bool) {
	return strings.CutSuffix(run, "-"+string(cloud.OriginDaemon))
}

func replicas(set *appsv1.StatefulSet) int { return int(deref(set.Spec.Replicas, 1)) }

// Daemon implements [cloud.Engine]. It updates the job's StatefulSet, and its controller replaces pods that
// differ. A stopped StatefulSet has no pods; it's deleted with the job's object, or at once if there is none.
func (e *Engine) Daemon(ctx context.Context, d cloud.Daemon) error {
	what := "processes of job " + d.Job.Name
	if err := e.usable(ctx); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	var want *appsv1.StatefulSet
	if d.Count > 0 {
		var err error
		if want, err = daemonManifest(d, e.cfg); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		e.own(want, d.Job.Name, d.Owner)
	}
	old, err := e.sets.Get(ctx, d.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err) && want == nil:
		return nil
	case apierrors.IsNotFound(err):
		return e.createSet(ctx, what, want)
	case err != nil:
		return Translate(what, err)
	case want == nil:
		return e.stopDaemon(ctx, what, d, old)
	}
	switch err := foreign(what, "StatefulSet", old, d.Job.Name, d.Owner); {
	case err != nil:
		return err
	case old.DeletionTimestamp != nil:
		return fmt.Errorf("%s: StatefulSet %s/%s is being deleted; try again when it no longer exists", what, old.Namespace, old.Name)
	}
	changes := difference(old, want)
	if len(changes) == 0 {
		return nil
	}
	return e.patch(ctx, what, old, types.JSONPatchType, append([]operation{{"replace", "/metadata/uid", old.UID}}, changes...))
}

func (e *Engine) createSet(ctx context.Context, what string, set *appsv1.StatefulSet) error {
	made, err := e.sets.Create(ctx, set, metav1.CreateOptions{FieldManager: manager})
	if err != nil {
		return e.notCreated(what, err)
	}
	strip(made)
	e.onObject(made)
	return nil
}

// operation is one operation of a JSON patch. The patch replaces the whole template, so a job's
// removed settings are removed there, too; parts added by others stay.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// difference returns the changes for our StatefulSet.
func difference(old, want *appsv1.StatefulSet) (changes []operation) {
	field := func(of, key string) string {
		return "/metadata/" + of + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
	}
	if old.Annotations[noteDigest] != want.Annotations[noteDigest] {
		changes = append(changes, operation{"replace", "/spec/template", want.Spec.Template})
		for key, value := range want.Labels {
			changes = append(changes, operation{"add", field("labels", key), value})
		}
		for key, value := range want.Annotations {
			changes = append(changes, operation{"add", field("annotations", key), value})
		}
		for _, key := range []string{noteDescription, noteDaemon} {
			if _, had := old.Annotations[key]; had && want.Annotations[key] == "" {
				changes = append(changes, operation{Op: "remove", Path: field("annotations", key)})
			}
		}
		// Sort, because maps have no order and it's easier to read in logs.
		slices.SortFunc(changes, func(a, b operation) int { return strings.Compare(a.Path, b.Path) })
	}
	if replicas(old) != replicas(want) {
		changes = append(changes, operation{"add", "/spec/replicas", want.Spec.Replicas})
	}
	// While stopped pods exist, the note is the reason for their end.
	if _, noted := old.Annotations[noteEnded]; noted && old.Status.Replicas == 0 && old.Status.ObservedGeneration == old.Generation {
		changes = append(changes, operation{Op: "remove", Path: field("annotations", noteEnded)})
	}
	if len(old.OwnerReferences) == 0 && len(want.OwnerReferences) > 0 { // It wasn't known yet.
		changes = append(changes, operation{"add", "/metadata/ownerReferences", want.OwnerReferences})
	}
	return changes
}

// stopDaemon removes all pods. It first notes the reason, so that every scheduler knows it.
func (e *Engine) stopDaemon(ctx context.Context, what string, d cloud.Daemon, set *appsv1.StatefulSet) error {
	earlier := d.Owner != "" && set.Annotations[noteOwner] != d.Owner
	if !own(set) || set.Annotations[noteJobName] != d.Job.Name || earlier || set.DeletionTimestamp != nil {
		return nil // There is nothing of this job, or it's already being deleted.
	}
	if replicas(set) > 0 {
		o := newCommand(cloud.Ending{Way: cloud.EndKill, By: "scheduler", Reason: "the job was disabled or deleted"}, time.Now(), 0)
		if err := e.change(ctx, what, set, map[string]any{noteEnded: o.encode()}, map[string]any{"replicas": 0}); err != nil {
			return err
		}
	}
	if ownerOf(set) != nil {
		return nil
	}
	// It stays until its pods have ended, because the run is active while one of them works.
	return e.deleteSet(ctx, what, set.Name, metav1.DeletePropagationForeground, metav1.Preconditions{UID: &set.UID})
}

func (e *Engine) deleteSet(ctx context.Context, what, name string, how metav1.DeletionPropagation, only metav1.Preconditions) error {
	err := e.sets.Delete(ctx, name, metav1.DeleteOptions{Preconditions: &only, PropagationPolicy: &how})
	if err != nil && !apierrors.IsNotFound(err) {
		return Translate(what, err)
	}
	return nil
}

// readSet reads a StatefulSet from the API server; ErrNotFound if it isn't ours.
func (e *Engine) readSet(ctx context.Context, what, name string) (*appsv1.StatefulSet, error) {
	return readOwn(ctx, e, what, e.sets, name, "StatefulSet %s/%s is not for the processes of a job")
}

// endDaemon ends the process of one shard. The StatefulSet's controller starts another pod.
func (e *Engine) endDaemon(ctx context.Context, name string, shard int, how cloud.Ending) error {
	what := fmt.Sprintf("end shard %d of the processes %s", shard, name)
	set, err := e.readSet(ctx, what, name)
	switch {
	case err != nil:
		return err
	case shard < 0 && replicas(set) == 0:
		return nil
	case shard < 0:
		return fmt.Errorf("end all processes of DAEMON job %q: they would restart; disable the job instead: %w", set.Annotations[noteJobName], cloud.ErrRefused)
	case how.Way == cloud.EndSuspend:
		return fmt.Errorf("%s: suspend: the processes of a DAEMON job can't be suspended; disable the job instead: %w", what, cloud.ErrUnsupported)
	}
	pods, err := e.pods.List(ctx, metav1.ListOptions{LabelSelector: fmt.Sprintf("%s=%s,%s=%d", labelJob, set.Labels[labelJob], appsv1.PodIndexLabel, shard)})
	if err != nil {
		return Translate(what, err)
	}
	for _, pod := range pods.Items {
		if pod.DeletionTimestamp != nil || !metav1.IsControlledBy(&pod, set) {
			continue
		}
		now := time.Now()
		if err := e.endPod(ctx, what, set, &pod, forgottenKills(set, now), newCommand(how, now, shard)); err != nil {
			return err
		}
	}
	return nil
}

// killKept is how long a StatefulSet keeps the note of an ended pod. It's longer than any grace, so
// a scheduler that was away still sees it.
const killKept = 24 * time.Hour

// forgottenKills returns the notes of ended pods to remove: old ones, and the oldest ones beyond
// the limit, because a StatefulSet exists for years.
func forgottenKills(set *appsv1.StatefulSet, now time.Time) map[string]any {
	type kill struct {
		note string
		at   time.Time
	}
	var kills []kill
	for note := range set.Annotations {
		if strings.HasPrefix(note, noteKilled) {
			o, _ := commandOf(set.Annotations, note)
			kills = append(kills, kill{note, o.At})
		}
	}
	slices.SortFunc(kills, func(a, b kill) int { return a.at.Compare(b.at) })
	notes := make(map[string]any)
	for i, k := range kills {
		if now.Sub(k.at) > killKept || len(kills)-i >= maxKilled {
			notes[k.note] = nil
		}
	}
	return notes
}

func (e *Engine) forgetDaemon(ctx context.Context, what, name string) error {
	set, err := e.readSet(ctx, what, name)
	if err != nil {
		return err
	}
	if replicas(set) > 0 || set.Status.Replicas > 0 {
		return fmt.Errorf("%s: its processes are active; disable job %q first: %w", what, set.Annotations[noteJobName], cloud.ErrRefused)
	}
	return e.deleteSet(ctx, what, name, metav1.DeletePropagationBackground, metav1.Preconditions{UID: &set.UID, ResourceVersion: &set.ResourceVersion})
}

// silentAfter is how long a pod may outlast its grace before its node counts as silent.
const silentAfter = 30 * time.Second

func (e *Engine) explainDaemon(ctx context.Context, what, name string) ([]cloud.Reason, error) {
	set, err := e.readSet(ctx, what, name)
	if err != nil {
		return nil, err
	}
	reasons, present := e.waitingDaemon(set, time.Now())
	return e.explained(ctx, what, set.UID, reasons, replicas(set)-present)
}

// waitingDaemon returns the reasons for which pods wait, and the number of pods. If a node doesn't
// confirm a pod's end, the pod stays forever, because a shard never has two.
func (e *Engine) waitingDaemon(set *appsv1.StatefulSet, now time.Time) (reasons []cloud.Reason, present int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.runs[set.UID]
	if d == nil {
		return nil, 0
	}
	reasons = d.waiting()
	if r := d.unready(set, now); r.Count > 0 {
		reasons = append(reasons, r)
	}
	for _, pod := range d.live {
		if pod.DeletionTimestamp == nil || now.Sub(pod.DeletionTimestamp.Time) < silentAfter {
			continue
		}
		text := fmt.Sprintf("node %s does not confirm that the pod has ended; delete the Node if the machine was lost, or taint it with node.kubernetes.io/out-of-service", pod.Spec.NodeName)
		reasons = counted(reasons, cloud.Reason{Code: "NodeSilent", Text: text, Since: deletionRequested(pod)})
	}
	return reasons, len(d.live)
}

// unreadyAfter is how long a process may run before a failing readiness check is a reason.
const unreadyAfter = 30 * time.Second

// unready returns a reason for processes that have run for a while but fail their readiness check.
func (r *run) unready(set *appsv1.StatefulSet, now time.Time) (reason cloud.Reason) {
	containers := set.Spec.Template.Spec.Containers
	if len(containers) == 0 || containers[0].ReadinessProbe == nil || containers[0].ReadinessProbe.HTTPGet == nil {
		return reason
	}
	for _, pod := range r.live {
		c := containerOf(pod)
		if c == nil || c.Ready || c.State.Running == nil || pod.DeletionTimestamp != nil {
			continue
		}
		if since := utc(c.State.Running.StartedAt); now.Sub(since) > unreadyAfter {
			if reason.Count++; reason.Count == 1 || since.Before(reason.Since) {
				reason.Since = since
			}
		}
	}
	at := containers[0].ReadinessProbe.HTTPGet
	reason.Code, reason.Text = "NotReady", fmt.Sprintf("it is running but does not answer 200 to GET %s on port %s. Programs with cloudjob or cloudrun do so while they fire; for other programs remove %s from the job", at.Path, at.Port.String(), cloud.PropReadyPort)
	return reason
}
