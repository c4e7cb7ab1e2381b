//go:build kubernetes

package kubetest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestCL14NoSpace: etcd has no space left, so everything can be read and nothing written. No
// process leads then, and the scheduler reports the server's message. Afterwards each fire time has
// its run, once. Runs may overlap, because a simulated pod with an unwritten end never ends. It
// isn't parallel, because it affects all tests.
func TestCL14NoSpace(t *testing.T) {
	namespace, s := scheduled(t, func(j *cloud.Job) { j.Props = map[string]string{cloud.PropOverlap: string(cloud.OverlapAllow)} })
	eventually(t, patience, "runs are launched", func() bool { return len(fires(t, namespace)) >= 2 })
	if err := cluster.FillEtcd(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, "no process leads, and the scheduler reports why", func() bool {
		_, err := s.Health()
		return !s.Leads() && err != nil && strings.Contains(err.Error(), "database space exceeded")
	})
	if err := cluster.EmptyEtcd(t.Context()); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	var all []int64
	defer func() { t.Log("fires:", all, "back:", back.Unix()) }()
	eventually(t, 3*time.Minute, "each fire time has its run", func() bool {
		all = fires(t, namespace)
		for i := 1; i < len(all); i++ {
			if all[i] != all[i-1]+5 {
				return false
			}
		}
		return all[len(all)-1] > back.Unix()
	})
	if _, err := s.Health(); err != nil || !s.Leads() {
		t.Errorf("it leads %t, trouble %v", s.Leads(), err)
	}
}

// TestCL15TokenRotated: a token is in a file, as in a pod. When the file gets another token and the
// old one becomes invalid, the engine continues without a restart.
func TestCL15TokenRotated(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	namespace := emptyNamespace(t)
	file := filepath.Join(t.TempDir(), "token")
	rotate := func(secret string) {
		t.Helper()
		token, err := cluster.TokenOfSecret(t.Context(), namespace, kubetest.ConsoleAccount, secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rotate("first")
	f := openAs(t, namespace, &rest.Config{Host: cluster.Scheduler.Host, TLSClientConfig: cluster.Scheduler.TLSClientConfig, BearerTokenFile: file}, kube.Config{}).watch()
	f.launch(plays("PLAY", kubetest.PlayWell))
	rotate("second")
	if err := cluster.Core.Secrets(namespace).Delete(t.Context(), "first", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	// The API server caches a valid token for ten seconds, and client-go reads the file once a minute.
	<-time.After(15 * time.Second)
	var next cloud.Run
	eventually(t, 3*time.Minute, "a run is launched with the second token", func() bool {
		next = sample(plays("PLAY", kubetest.PlayWell))
		created, err := f.Launch(t.Context(), next)
		return created && err == nil
	})
	if s := f.ended(patience, next.Name); s.State != cloud.RunSucceeded {
		t.Errorf("the run is %+v", s)
	}
}

// TestCL39Preempted: a pod of higher priority displaces a shard's. It counts as dropped; with
// failover it's replaced without counting.
func TestCL39Preempted(t *testing.T) {
	t.Parallel()
	const key = "kubetest.example/alone"
	f := watched(t)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: f.namespace, Labels: map[string]string{key: f.namespace, kubetest.Played: "true"}}}
	node.Spec.Taints = []corev1.Taint{{Key: key, Value: f.namespace, Effect: corev1.TaintEffectNoSchedule}}
	class := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: f.namespace}, Value: 1000}
	if _, err := cluster.Core.Nodes().Create(t.Context(), node, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Prioritise(t.Context(), class); err != nil {
		t.Fatal(err)
	}
	r := f.launch(func(r *cloud.Run) {
		r.Job.Failover, r.Job.Shards, r.Job.CPU = true, 1, 600 // Of the 1,000 of a simulated node.
		r.App.Pod = &cloud.PodSettings{NodeSelector: node.Labels, Tolerations: []cloud.Toleration{{Key: key, Value: f.namespace}}}
	})
	first := f.working(1)[0]
	urgent := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "urgent"}, Spec: corev1.PodSpec{
		PriorityClassName: class.Name, NodeSelector: node.Labels,
		Tolerations: []corev1.Toleration{{Key: key, Operator: corev1.TolerationOpExists}},
		Containers: []corev1.Container{{
			Name: "main", Image: "registry.example/urgent:1",
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("600")}},
		}},
	}}
	if _, err := cluster.Core.Pods(f.namespace).Create(t.Context(), urgent, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.until(patience, "the first task was dropped", func() bool { return f.tasks[first.UID].State == tracing.StateDropped })
	if err := cluster.Core.Pods(f.namespace).Delete(t.Context(), urgent.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	second := f.working(1)[0]
	if second.Attempt != 2 || second.FirstUID != first.UID {
		t.Errorf("the second is %+v", second)
	}
	if err := cluster.EndPod(t.Context(), f.namespace, r.Name, 0, 0); err != nil {
		t.Fatal(err)
	}
	if s := f.ended(patience, r.Name); s.State != cloud.RunSucceeded {
		t.Errorf("the run is %+v", s)
	}
}
