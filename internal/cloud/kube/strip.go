package kube

import (
	"slices"
	"strings"
	"unique"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// strip removes everything from an object that the engine doesn't read, because there may be tens
// of thousands, and that is most of their memory.
func strip(object any) {
	switch o := object.(type) {
	case *batchv1.Job:
		stripMeta(&o.ObjectMeta, labelJob, labelQueue)
		o.Spec = batchv1.JobSpec{
			Parallelism: o.Spec.Parallelism, Completions: o.Spec.Completions, ActiveDeadlineSeconds: o.Spec.ActiveDeadlineSeconds, Suspend: o.Spec.Suspend,
			BackoffLimitPerIndex: o.Spec.BackoffLimitPerIndex,
		}
		o.Status.UncountedTerminatedPods = nil
		for i := range o.Status.Conditions {
			c := &o.Status.Conditions[i]
			c.Type, c.Status, c.Reason, c.Message = unique.Make(c.Type).Value(), unique.Make(c.Status).Value(), one(c.Reason), one(c.Message)
		}
	case *appsv1.StatefulSet:
		stripMeta(&o.ObjectMeta, labelJob, labelKind)
		digest := o.Spec.Template.Annotations[noteDigest]
		o.Spec.Template = corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{noteDigest: digest}}}
	case *corev1.Pod:
		stripMeta(&o.ObjectMeta, appsv1.PodIndexLabel)
		o.Spec = corev1.PodSpec{NodeName: one(o.Spec.NodeName)}
		o.Status = stripStatus(o.Status)
	}
}

// notes are annotations of others that we read.
var notes = []string{batchv1.JobCompletionIndexAnnotation, batchv1.JobIndexFailureCountAnnotation, batchv1.JobIndexIgnoredFailureCountAnnotation}

// stripMeta keeps the given labels, our annotations and notes.
func stripMeta(m *metav1.ObjectMeta, labels ...string) {
	m.ManagedFields, m.GenerateName, m.Finalizers = nil, "", nil
	m.Labels = only(m.Labels, func(key string) bool { return slices.Contains(labels, key) })
	m.Annotations = only(m.Annotations, func(key string) bool {
		return strings.HasPrefix(key, group+"/") || slices.Contains(notes, key)
	})
	for i := range m.OwnerReferences {
		o := &m.OwnerReferences[i]
		o.APIVersion, o.Kind = one(o.APIVersion), one(o.Kind)
	}
}

// only returns the kept entries, nil if there are none.
func only(entries map[string]string, kept func(key string) bool) map[string]string {
	var result map[string]string
	for key, value := range entries {
		if !kept(key) {
			continue
		}
		if result == nil {
			result = make(map[string]string)
		}
		if strings.HasPrefix(key, noteKilled) {
			result[key] = value // It has the UID of a pod, which is unique.
			continue
		}
		result[one(key)] = value
	}
	return result
}

// one shares equal texts in memory.
func one(text string) string { return unique.Make(text).Value() }

// stripStatus keeps the fields for [judge]. For an ended pod that is how it ended.
func stripStatus(s corev1.PodStatus) corev1.PodStatus {
	kept := corev1.PodStatus{Phase: unique.Make(s.Phase).Value(), Reason: s.Reason, Message: s.Message, PodIP: s.PodIP}
	read := []corev1.PodConditionType{corev1.DisruptionTarget}
	if s.Phase != corev1.PodSucceeded && s.Phase != corev1.PodFailed {
		read = append(read, corev1.PodScheduled, corev1.ContainersReady, corev1.PodReady)
	}
	for _, c := range s.Conditions {
		if slices.Contains(read, c.Type) {
			kept.Conditions = append(kept.Conditions, corev1.PodCondition{
				Type: unique.Make(c.Type).Value(), Status: unique.Make(c.Status).Value(), LastTransitionTime: c.LastTransitionTime, Reason: one(c.Reason), Message: one(c.Message),
			})
		}
	}
	for _, c := range s.InitContainerStatuses {
		kept.InitContainerStatuses = append(kept.InitContainerStatuses, stripContainer(c))
	}
	for _, c := range s.ContainerStatuses {
		if c.Name == container {
			kept.ContainerStatuses = append(kept.ContainerStatuses, stripContainer(c))
		}
	}
	return kept
}

func stripContainer(c corev1.ContainerStatus) corev1.ContainerStatus {
	for _, state := range []*corev1.ContainerState{&c.State, &c.LastTerminationState} {
		if end := state.Terminated; end != nil {
			end.ContainerID, end.Reason = "", one(end.Reason)
		}
	}
	return corev1.ContainerStatus{Name: one(c.Name), State: c.State, LastTerminationState: c.LastTerminationState, Ready: c.Ready, RestartCount: c.RestartCount}
}
