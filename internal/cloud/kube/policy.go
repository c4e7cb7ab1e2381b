package kube

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// Policy lists what applications may use beyond a restricted pod.
type Policy struct {
	// ServiceAccounts may be used by applications. Without this list, anyone who writes an
	// application could use every account of the namespace.
	ServiceAccounts []string
	// Secrets may be used by applications. Without this list, anyone who writes an application
	// could read every Secret of the namespace.
	Secrets []string
	// Archives configures the fetching of archives.
	Archives Archives
}

func (p Policy) check(a cloud.App) error {
	if a.Pod == nil {
		return nil
	}
	if name := a.Pod.ServiceAccount; name != "" && !slices.Contains(p.ServiceAccounts, name) {
		return refuse("pod.serviceAccountName", "application %q uses %q, but only %q are allowed; add it to --cloud-service-accounts, or remove it", a.Name, name, p.ServiceAccounts)
	}
	return cmp.Or(p.checkSecrets(a.Name, "pod.imagePullSecrets", a.Pod.ImagePullSecrets), p.checkSecrets(a.Name, "pod.envFromSecrets", a.Pod.EnvFromSecrets))
}

func (p Policy) checkSecrets(app, field string, names []string) error {
	for _, name := range names {
		if !slices.Contains(p.Secrets, name) {
			return refuse(field, "application %q uses %q, but only %q are allowed; add it to --cloud-secrets, or remove it", app, name, p.Secrets)
		}
	}
	return nil
}

// applySettings copies an application's settings into a pod field by field, so nothing else can get there.
func applySettings(spec *corev1.PodSpec, s cloud.PodSettings) {
	spec.NodeSelector = maps.Clone(s.NodeSelector)
	if s.ServiceAccount != "" {
		spec.ServiceAccountName = s.ServiceAccount
		spec.AutomountServiceAccountToken = new(true) // It was chosen for its rights.
	}
	if spec.PriorityClassName == "" {
		spec.PriorityClassName = s.PriorityClass
	}
	if s.RuntimeClass != "" {
		spec.RuntimeClassName = new(s.RuntimeClass)
	}
	if s.RunAsRoot {
		spec.SecurityContext.RunAsNonRoot = nil
	}
	if s.RunAsUser > 0 {
		spec.SecurityContext.RunAsUser = new(s.RunAsUser)
	}
	for _, name := range s.ImagePullSecrets {
		spec.ImagePullSecrets = append(spec.ImagePullSecrets, corev1.LocalObjectReference{Name: name})
	}
	for _, t := range s.Tolerations {
		toleration := corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffect(t.Effect)}
		if t.Value != "" {
			toleration.Operator, toleration.Value = corev1.TolerationOpEqual, t.Value
		}
		spec.Tolerations = append(spec.Tolerations, toleration)
	}
	for _, name := range s.EnvFromSecrets {
		spec.Containers[0].EnvFrom = append(spec.Containers[0].EnvFrom, corev1.EnvFromSource{
			SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}},
		})
	}
	for _, name := range s.EnvFromConfigMaps {
		spec.Containers[0].EnvFrom = append(spec.Containers[0].EnvFrom, corev1.EnvFromSource{
			ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}},
		})
	}
}
