//go:build kubernetes

package kubetest_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	batchclient "k8s.io/client-go/kubernetes/typed/batch/v1"
	leaseclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

// golden returns a Job like the engine's.
func golden(t *testing.T) *batchv1.Job {
	t.Helper()
	text, err := os.ReadFile("../kube/testdata/cron.json")
	if err != nil {
		t.Fatal(err)
	}
	job := &batchv1.Job{}
	if err := json.Unmarshal(text, job); err != nil {
		t.Fatal(err)
	}
	return job
}

// forbidden are changes of a pod that the policy refuses, and a word of the error.
var forbidden = []struct {
	name   string
	change func(*corev1.PodTemplateSpec)
	words  string
}{
	{"pods without label", func(p *corev1.PodTemplateSpec) { delete(p.Labels, "cloud.elasticjob.dev/job") }, "creates no pods without the label cloud.elasticjob.dev/job"},
	{"hostNetwork", func(p *corev1.PodTemplateSpec) { p.Spec.HostNetwork = true }, "creates no pods with hostNetwork"},
	{"hostPID", func(p *corev1.PodTemplateSpec) { p.Spec.HostPID = true }, "creates no pods with hostPID"},
	{"hostIPC", func(p *corev1.PodTemplateSpec) { p.Spec.HostIPC = true }, "creates no pods with hostIPC"},
	{"hostPath", func(p *corev1.PodTemplateSpec) {
		volume(p, corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/"}})
	}, "creates no pods with a hostPath volume"},
	{"hostPort", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
	}, "creates no containers with a hostPort"},
	{"privileged", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[0].SecurityContext = &corev1.SecurityContext{Privileged: new(true)}
	}, "creates no privileged containers"},
	{"privileged init container", func(p *corev1.PodTemplateSpec) {
		p.Spec.InitContainers = []corev1.Container{{Name: "init", Image: "x", SecurityContext: &corev1.SecurityContext{Privileged: new(true)}}}
	}, "creates no privileged containers"},
	{"privilege escalation", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[0].SecurityContext.AllowPrivilegeEscalation = new(true)
	}, "without allowPrivilegeEscalation false"},
	{"no security context", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].SecurityContext = nil }, "without allowPrivilegeEscalation false"},
	{"capabilities", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[0].SecurityContext.Capabilities.Add = []corev1.Capability{"NET_ADMIN"}
	}, "creates no containers with added capabilities"},
	{"ServiceAccount", func(p *corev1.PodTemplateSpec) { p.Spec.ServiceAccountName = "admin" }, "with the ServiceAccount admin, which is not on the list"},
	{"ServiceAccount by its old name", func(p *corev1.PodTemplateSpec) { p.Spec.DeprecatedServiceAccount = "admin" }, "with the ServiceAccount admin, which is not on the list"},
	{"default ServiceAccount", func(p *corev1.PodTemplateSpec) { p.Spec.ServiceAccountName = "default" }, "with the ServiceAccount default, which is not on the list"},
	{"our own ServiceAccount", func(p *corev1.PodTemplateSpec) { p.Spec.ServiceAccountName = "elasticjob-console" }, "with the ServiceAccount elasticjob-console, which is not on the list"},
	{"token", func(p *corev1.PodTemplateSpec) { p.Spec.AutomountServiceAccountToken = new(true) }, "set automountServiceAccountToken to false"},
	{"token by default", func(p *corev1.PodTemplateSpec) { p.Spec.AutomountServiceAccountToken = nil }, "set automountServiceAccountToken to false"},
	{"projected token", func(p *corev1.PodTemplateSpec) {
		volume(p, corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token"}},
		}}})
	}, "with a projected token"},
	{"projected token for others", func(p *corev1.PodTemplateSpec) {
		volume(p, corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "events", Audience: "elasticjob-events"}},
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", Audience: "vault"}},
		}}})
	}, "with a projected token"},
	{"volume of our Secret", func(p *corev1.PodTemplateSpec) {
		volume(p, corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "elasticjob-console"}})
	}, "with a volume of the console's own Secret"},
	{"projected volume of our Secret", func(p *corev1.PodTemplateSpec) {
		volume(p, corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			{Secret: &corev1.SecretProjection{LocalObjectReference: own}},
		}}})
	}, "with a volume of the console's own Secret"},
	{"variables of our Secret", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: own}}}
	}, "with variables of the console's own Secret"},
	{"a variable of our Secret", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "DSN", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: own, Key: "dsn"}}}}
	}, "with variables of the console's own Secret"},
}

// own is the console's Secret.
var own = corev1.LocalObjectReference{Name: "elasticjob-console"}

func volume(p *corev1.PodTemplateSpec, source corev1.VolumeSource) {
	p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "more", VolumeSource: source})
}

var dryRun = []string{metav1.DryRunAll}

// refused waits until a request is refused with words, because the API server sees a policy later,
// by its own watch.
func refused(t *testing.T, words string, try func() error) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := try()
		if err != nil && strings.Contains(err.Error(), words) {
			return
		}
		if err != nil || time.Now().After(deadline) {
			t.Errorf("the answer is %v; want a refusal with %q", err, words)
			return
		}
		select {
		case <-t.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// TestPolicyOfRuns: objects that the console must not create are refused by name, and its own
// aren't. Other users only need rights.
func TestPolicyOfRuns(t *testing.T) {
	t.Parallel()
	f := open(t)
	account := console(t, f.namespace)
	batch, apps := clients(t, account)
	create := func(change func(*batchv1.Job)) func() error {
		return func() error {
			job := golden(t)
			change(job)
			_, err := batch.Jobs(f.namespace).Create(t.Context(), job, metav1.CreateOptions{DryRun: dryRun})
			return err
		}
	}
	refused(t, "creates nothing without the label cloud.elasticjob.dev/job", create(func(j *batchv1.Job) { delete(j.Labels, "cloud.elasticjob.dev/job") }))
	for _, c := range forbidden {
		t.Run(c.name, func(t *testing.T) {
			refused(t, c.words, create(func(j *batchv1.Job) { c.change(&j.Spec.Template) }))
			refused(t, c.words, func() error {
				set := daemons(t)
				c.change(&set.Spec.Template)
				_, err := apps.StatefulSets(f.namespace).Create(t.Context(), set, metav1.CreateOptions{DryRun: dryRun})
				return err
			})
			job := golden(t)
			c.change(&job.Spec.Template)
			if _, err := cluster.Batch.Jobs(f.namespace).Create(t.Context(), job, metav1.CreateOptions{DryRun: dryRun}); err != nil {
				t.Errorf("an administrator: %v", err)
			}
		})
	}
	for name, change := range map[string]func(*batchv1.Job){
		"as it is":  func(*batchv1.Job) {},
		"runAsRoot": func(j *batchv1.Job) { j.Spec.Template.Spec.SecurityContext.RunAsNonRoot = nil },
		"a ServiceAccount of the list": func(j *batchv1.Job) {
			j.Spec.Template.Spec.ServiceAccountName, j.Spec.Template.Spec.AutomountServiceAccountToken = "report-reader", new(true)
		},
		"Secrets of others": func(j *batchv1.Job) {
			volume(&j.Spec.Template, corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "shop"}})
			j.Spec.Template.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "shop"}}}}
		},
		"a token to report with": func(j *batchv1.Job) {
			volume(&j.Spec.Template, corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", Audience: "elasticjob-events"}},
			}}})
		},
		"an emptyDir": func(j *batchv1.Job) {
			volume(&j.Spec.Template, corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}})
		},
	} {
		if err := create(change)(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := apps.StatefulSets(f.namespace).Create(t.Context(), reporting(t), metav1.CreateOptions{DryRun: dryRun}); err != nil {
		t.Errorf("processes that report: %v", err)
	}
}

// reporting returns a StatefulSet like the engine's, with pods without their own ServiceAccount.
func reporting(t *testing.T) *appsv1.StatefulSet {
	t.Helper()
	text, err := os.ReadFile("../kube/testdata/daemon-reporting.json")
	if err != nil {
		t.Fatal(err)
	}
	set := &appsv1.StatefulSet{}
	if err := json.Unmarshal(text, set); err != nil {
		t.Fatal(err)
	}
	set.Spec.Template.Spec.ServiceAccountName, set.Spec.Template.Spec.AutomountServiceAccountToken = "", new(false)
	return set
}

// TestCL26PolicyRefuses: if an engine allows more than the policy, its runs are refused for good,
// with the policy's message.
func TestCL26PolicyRefuses(t *testing.T) {
	t.Parallel()
	namespace := open(t).namespace
	f := openAs(t, namespace, console(t, namespace), kube.Config{Policy: kube.Policy{ServiceAccounts: []string{"admin"}}})
	words := "ElasticJob-Cloud creates no pods with the ServiceAccount admin, which is not on the list"
	refused(t, words, func() error {
		r := sample(func(r *cloud.Run) { r.App.Pod = &cloud.PodSettings{ServiceAccount: "admin"} })
		created, err := f.Launch(t.Context(), r)
		if err != nil && (created || !errors.Is(err, cloud.ErrRefused)) {
			t.Errorf("Launch = %v, %v; want ErrRefused", created, err)
		}
		return err
	})
}

func clients(t *testing.T, account *rest.Config) (*batchclient.BatchV1Client, *appsclient.AppsV1Client) {
	t.Helper()
	account = rest.CopyConfig(account)
	account.QPS, account.Burst = 1000, 2000
	batch, err := batchclient.NewForConfig(account)
	if err != nil {
		t.Fatal(err)
	}
	apps, err := appsclient.NewForConfig(account)
	if err != nil {
		t.Fatal(err)
	}
	return batch, apps
}

// daemons returns a StatefulSet of the golden Job's pods.
func daemons(t *testing.T) *appsv1.StatefulSet {
	t.Helper()
	job := golden(t)
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: "daemons", Labels: job.Labels},
		Spec:       appsv1.StatefulSetSpec{Replicas: new(int32(0)), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"cloud.elasticjob.dev/app": "shop"}}, Template: job.Spec.Template},
	}
	set.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyAlways
	return set
}

// somebodyElses returns objects without our label, created by an administrator.
func somebodyElses(t *testing.T, namespace string) (*batchv1.Job, *appsv1.StatefulSet, *corev1.Pod) {
	t.Helper()
	job, set := golden(t), daemons(t)
	// A Job without labels gets its pods' labels.
	job.Labels, set.Labels, job.Spec.Template.Labels, job.Spec.Suspend = nil, nil, map[string]string{"app": "theirs"}, new(true)
	batch, apps := clients(t, cluster.Admin)
	if _, err := batch.Jobs(namespace).Create(t.Context(), job, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := apps.StatefulSets(namespace).Create(t.Context(), set, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "theirs"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "x", Image: "x"}}}}
	if _, err := cluster.Core.Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return job, set, pod
}

// TestPolicyOfOthers: the console can't change foreign objects, and can only create its own lease.
func TestPolicyOfOthers(t *testing.T) {
	t.Parallel()
	f := open(t)
	account := console(t, f.namespace)
	batch, apps := clients(t, account)
	core, err := coreclient.NewForConfig(account)
	if err != nil {
		t.Fatal(err)
	}
	leases, err := leaseclient.NewForConfig(account)
	if err != nil {
		t.Fatal(err)
	}
	theirs, set, pod := somebodyElses(t, f.namespace)
	ours := f.launch()
	patch, remove := []byte(`{"spec": {"suspend": false}}`), metav1.DeleteOptions{DryRun: dryRun, PropagationPolicy: new(metav1.DeletePropagationBackground)}
	lease := func(name string) error {
		_, err := leases.Leases(f.namespace).Create(t.Context(), &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{DryRun: dryRun})
		return err
	}
	for _, c := range []struct {
		name, words string
		try         func() error
	}{
		{"patch a Job", "changes and deletes nothing without the label", func() error {
			_, err := batch.Jobs(f.namespace).Patch(t.Context(), theirs.Name, types.MergePatchType, patch, metav1.PatchOptions{DryRun: dryRun})
			return err
		}},
		{"delete a Job", "changes and deletes nothing without the label", func() error { return batch.Jobs(f.namespace).Delete(t.Context(), theirs.Name, remove) }},
		{"label a Job", "changes and deletes nothing without the label", func() error {
			_, err := batch.Jobs(f.namespace).Patch(t.Context(), theirs.Name, types.MergePatchType, []byte(`{"metadata": {"labels": {"cloud.elasticjob.dev/job": "x"}}}`), metav1.PatchOptions{DryRun: dryRun})
			return err
		}},
		{"patch a StatefulSet", "nothing without the label", func() error {
			_, err := apps.StatefulSets(f.namespace).Patch(t.Context(), set.Name, types.MergePatchType, []byte(`{"spec": {"replicas": 0}, "metadata": {"annotations": {"a": "b"}}}`), metav1.PatchOptions{DryRun: dryRun})
			return err
		}},
		{"delete a StatefulSet", "changes and deletes nothing without the label", func() error { return apps.StatefulSets(f.namespace).Delete(t.Context(), set.Name, remove) }},
		{"delete a pod", "changes and deletes nothing without the label", func() error { return core.Pods(f.namespace).Delete(t.Context(), pod.Name, remove) }},
		{"another lease", "creates no lease but elasticjob-cloud", func() error { return lease("another") }},
		{"take the label away", "removes the label cloud.elasticjob.dev/job from nothing", func() error {
			_, err := batch.Jobs(f.namespace).Patch(t.Context(), ours.Name, types.MergePatchType, []byte(`{"metadata": {"labels": {"cloud.elasticjob.dev/job": null}}}`), metav1.PatchOptions{DryRun: dryRun})
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.words, c.try) })
	}
	if err := lease("elasticjob-cloud"); err != nil {
		t.Errorf("our own lease: %v", err)
	}
	if err := batch.Jobs(f.namespace).Delete(t.Context(), ours.Name, remove); err != nil {
		t.Errorf("our own Job: %v", err)
	}
}

// TestPoliciesAreSound: the cluster has no warnings about the expressions, for all their types.
func TestPoliciesAreSound(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	for _, name := range []string{"elasticjob-console-runs", "elasticjob-console-others"} {
		for deadline := time.Now().Add(patience); ; {
			var policy struct {
				Metadata struct{ Generation int64 }
				Status   struct {
					ObservedGeneration int64
					TypeChecking       struct {
						ExpressionWarnings []struct{ FieldRef, Warning string }
					}
				}
			}
			if err := json.Unmarshal([]byte(kubectl(t, "", "get", "validatingadmissionpolicy", name, "-o", "json")), &policy); err != nil {
				t.Fatal(err)
			}
			if policy.Status.ObservedGeneration == policy.Metadata.Generation {
				for _, w := range policy.Status.TypeChecking.ExpressionWarnings {
					t.Errorf("%s: %+v", name, w)
				}
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s was not checked: %+v", name, policy)
			}
			select {
			case <-t.Context().Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
}
