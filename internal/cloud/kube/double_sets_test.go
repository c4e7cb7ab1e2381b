package kube

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	authv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (d *double) createSet(set *appsv1.StatefulSet) (any, int) {
	if d.objects["statefulsets/"+set.Name] != nil {
		return metav1.StatusReasonAlreadyExists, http.StatusConflict
	}
	set.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}
	d.put("statefulsets", set)
	made := set.DeepCopy()
	d.reconcileSet(set)
	return made, http.StatusCreated
}

// patchSet applies a JSON patch as far as the engine needs it: fields of objects, not of lists.
func (d *double) patchSet(set *appsv1.StatefulSet, kind string, body []byte) (any, int) {
	var fields map[string]any
	text, err := json.Marshal(set)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err == nil && kind == string(types.JSONPatchType) {
		err = applyOperations(fields, body)
	} else if err == nil {
		var patch map[string]any
		if err = json.Unmarshal(body, &patch); err == nil {
			merge(fields, patch)
		}
	}
	if err == nil {
		text, err = json.Marshal(fields)
	}
	if err != nil {
		return metav1.StatusReasonBadRequest, http.StatusBadRequest
	}
	changed := &appsv1.StatefulSet{}
	if _, _, err := codecs.UniversalDeserializer().Decode(text, nil, changed); err != nil {
		return metav1.StatusReasonBadRequest, http.StatusBadRequest
	}
	if changed.UID != set.UID {
		return metav1.StatusReasonConflict, http.StatusConflict
	}
	changed.TypeMeta = set.TypeMeta
	d.put("statefulsets", changed)
	answer := changed.DeepCopy()
	d.reconcileSet(changed)
	return answer, http.StatusOK
}

func merge(into, patch map[string]any) {
	for key, value := range patch {
		fields, isObject := value.(map[string]any)
		there, wasObject := into[key].(map[string]any)
		switch {
		case value == nil:
			delete(into, key)
		case isObject && wasObject:
			merge(there, fields)
		default:
			into[key] = value
		}
	}
}

func applyOperations(fields map[string]any, body []byte) error {
	var operations []operation
	if err := json.Unmarshal(body, &operations); err != nil {
		return err
	}
	for _, o := range operations {
		words := strings.Split(strings.TrimPrefix(o.Path, "/"), "/")
		at := fields
		for _, word := range words[:len(words)-1] {
			next, ok := at[word].(map[string]any)
			if !ok {
				return fmt.Errorf("there is no %s of %s", word, o.Path)
			}
			at = next
		}
		last := strings.NewReplacer("~1", "/", "~0", "~").Replace(words[len(words)-1])
		if _, there := at[last]; !there && o.Op != "add" {
			return fmt.Errorf("there is no %s", o.Path)
		}
		if at[last] = o.Value; o.Op == "remove" {
			delete(at, last)
		}
	}
	return nil
}

// setPods returns the running pods by ordinal.
func (d *double) setPods(set *appsv1.StatefulSet) map[int]*corev1.Pod {
	pods := make(map[int]*corev1.Pod)
	for _, o := range d.objects {
		if pod, ok := o.(*corev1.Pod); ok && metav1.IsControlledBy(pod, set) {
			n, _ := ordinalOf(pod)
			pods[n] = pod
		}
	}
	return pods
}

// reconcileSet imitates the StatefulSet controller. d.mu must be held.
func (d *double) reconcileSet(set *appsv1.StatefulSet) {
	pods := d.setPods(set)
	for _, n := range slices.Sorted(maps.Keys(pods)) {
		if n >= replicas(set) || pods[n].Annotations[noteDigest] != set.Spec.Template.Annotations[noteDigest] {
			d.deletePod(pods[n], false)
			delete(pods, n)
		}
	}
	for n := range replicas(set) {
		if pods[n] == nil {
			d.makeSetPod(set, n)
		}
	}
	if set.Status.Replicas != int32(replicas(set)) {
		set.Status.Replicas = int32(replicas(set))
		d.put("statefulsets", set)
	}
}

func (d *double) makeSetPod(set *appsv1.StatefulSet, n int) {
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name: set.Name + "-" + strconv.Itoa(n), Labels: maps.Clone(set.Spec.Template.Labels), Annotations: maps.Clone(set.Spec.Template.Annotations),
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))},
		},
		Spec: corev1.PodSpec{NodeName: "node-1"},
	}
	pod.Labels[appsv1.PodIndexLabel] = strconv.Itoa(n)
	d.put("pods", pod)
	pod.Status.Phase, pod.Status.PodIP = corev1.PodRunning, "10.0.0.1"
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: container, State: running()}}
	d.put("pods", pod)
}

func running() corev1.ContainerState {
	return corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}
}

// restart imitates a kubelet: an ended container waits, and starts again.
func (d *double) restart(set string, n int, code int32, reason, message string) {
	pod, ok := d.objects["pods/"+set+"-"+strconv.Itoa(n)].(*corev1.Pod)
	if !ok {
		return
	}
	c := &pod.Status.ContainerStatuses[0]
	end := &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, Message: message, StartedAt: c.State.Running.StartedAt, FinishedAt: metav1.Now()}
	for _, s := range []struct {
		state, last corev1.ContainerState
		more        int32
	}{
		{corev1.ContainerState{Terminated: end}, c.LastTerminationState, 0},
		{corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off 10s"}}, corev1.ContainerState{Terminated: end}, 0},
		{running(), corev1.ContainerState{Terminated: end}, 1},
	} {
		c.State, c.LastTerminationState = s.state, s.last
		c.RestartCount += s.more
		d.put("pods", pod)
	}
}

func (d *double) deleteSet(set *appsv1.StatefulSet) {
	d.remove("statefulsets", set)
	for _, pod := range d.setPods(set) {
		d.deletePod(pod, false)
	}
}

// review answers token reviews.
func (d *double) review(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	o, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
	asked, ok := o.(*authv1.TokenReview)
	if err != nil || !ok {
		refuseRequest(w, http.StatusBadRequest, metav1.StatusReasonBadRequest)
		return
	}
	d.mu.Lock()
	status, known := d.tokens[asked.Spec.Token]
	d.mu.Unlock()
	if !known {
		status.Error = "the double does not know it"
	}
	writeJSON(w, http.StatusCreated, &authv1.TokenReview{TypeMeta: metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "TokenReview"}, Status: status})
}
