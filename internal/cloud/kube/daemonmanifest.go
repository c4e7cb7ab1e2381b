package kube

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/elasticjob-go/elasticjob/cloud"
	cloudtask "github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

// The token that identifies a process when it reports its runs: a token of the pod's ServiceAccount
// that only [Engine.Reporter] accepts.
const (
	// EventsAudience is the token's audience.
	EventsAudience = "elasticjob-events"

	tokenVolume  = "elasticjob-events"
	tokenFolder  = "/var/run/secrets/elasticjob.dev/events"
	tokenName    = "token"
	tokenSeconds = 3600
)

// daemonManifest returns the StatefulSet of a DAEMON job: a pod per shard, with the shard's number
// as its ordinal, so a shard never has two pods. With a registry the pods share the shards, and the
// ordinal has no meaning. It's pure. The error is a cloud.ErrRefused.
func daemonManifest(d cloud.Daemon, c Config) (*appsv1.StatefulSet, error) {
	if err := checkDaemon(d, c.Policy); err != nil {
		return nil, err
	}
	r := cloud.Run{Name: cloud.DaemonRunName(d.Job.Name), Job: d.Job, App: d.App, Owner: d.Owner, Origin: cloud.OriginDaemon}
	env, err := environment(r, c)
	if err != nil {
		return nil, err
	}
	of := map[string]string{labelJob: d.Name, labelKind: string(cloud.OriginDaemon)}
	labels := map[string]string{labelJob: d.Name, labelKind: string(cloud.OriginDaemon), labelApp: cloud.Slug(d.App.Name)}
	set := &appsv1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: metav1.ObjectMeta{Name: d.Name, Labels: labels, Annotations: annotations(r)},
		Spec: appsv1.StatefulSetSpec{
			Replicas: new(int32(d.Count)), //nolint:gosec // checkDaemon bounds it.
			Selector: &metav1.LabelSelector{MatchLabels: of},
			// All shards start at once, without waiting for each other.
			PodManagementPolicy: appsv1.ParallelPodManagement,
			// A change replaces one pod after the other.
			UpdateStrategy: appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType},
			// There's no rollback, because the job's document decides.
			RevisionHistoryLimit: new(int32(1)),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: maps.Clone(labels), Annotations: map[string]string{noteJobName: d.Job.Name}},
				Spec:       podSpec(r, env, c.Policy.Archives),
			},
		},
	}
	if c.EventsURL != "" {
		mountToken(&set.Spec.Template.Spec)
	}
	if port := d.Job.ReadyPort(); port > 0 {
		set.Spec.Template.Spec.Containers[0].ReadinessProbe = readinessProbe(port)
	}
	template := &set.Spec.Template
	template.Annotations[noteDigest] = digestOf(*template)
	// The number of replicas is compared separately, because others may scale.
	set.Annotations[noteDigest] = digestOf([]any{set.Labels, set.Annotations, *template})
	return set, nil
}

// checkDaemon refuses jobs that this engine can't run.
func checkDaemon(d cloud.Daemon, p Policy) error {
	if err := d.Job.Validate(); err != nil {
		return fmt.Errorf("%w: %w", err, cloud.ErrRefused)
	}
	switch {
	case d.Name != cloud.Slug(d.Job.Name):
		return refuse("name", "%q is not the name for the processes of job %q, which is %q", d.Name, d.Job.Name, cloud.Slug(d.Job.Name))
	case d.Job.Type != cloud.TypeDaemon:
		return refuse("jobExecutionType", "%s jobs have runs; only DAEMON jobs have permanent processes", d.Job.Type)
	case d.Count != d.Job.Processes():
		return refuse("count", "%d processes, want %d of a job of %d shards", d.Count, d.Job.Processes(), d.Job.Shards)
	}
	return checkApp(d.Job, d.App, p)
}

// readinessProbe checks whether a process fires. Only programs that support it are checked, because
// others would never be ready, and a change of the job would stop at the first of them.
func readinessProbe(port int) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: cloudtask.ReadyPath, Port: intstr.FromInt(port)}},
		PeriodSeconds: 5, TimeoutSeconds: 3,
	}
}

// mountToken adds the token to a pod. A pod without its own ServiceAccount has no other token, and
// this one has no other use.
func mountToken(spec *corev1.PodSpec) {
	spec.Volumes = append(spec.Volumes, corev1.Volume{Name: tokenVolume, VolumeSource: corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{{
			ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Audience: EventsAudience, ExpirationSeconds: new(int64(tokenSeconds)), Path: tokenName},
		}}},
	}})
	c := &spec.Containers[0]
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: tokenVolume, MountPath: tokenFolder, ReadOnly: true})
}

func digestOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("kube: %v", err)) // The API's types can always be encoded.
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
