package kube

import (
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestDaemonExplainReadiness: a process that fails its readiness check is a reason after a while.
// Processes without the check aren't.
func TestDaemonExplainReadiness(t *testing.T) {
	t.Parallel()
	for port, want := range map[string]string{"8088": "GET /readyz on port 8088", "": ""} {
		d := newDouble(t)
		e := open(t, d)
		s := follow(t, e)
		keep(t, e, func(d *cloud.Daemon) {
			if port != "" {
				d.Job.Props = map[string]string{cloud.PropReadyPort: port}
			}
		})
		s.until(t, "three processes work", func() bool { return s.count(tracing.StateRunning) == 3 })
		if reasons, err := e.Explain(t.Context(), liveRun); err != nil || len(reasons) != 0 {
			t.Errorf("the reasons of processes that have just begun are %+v, %v", reasons, err)
		}
		began := time.Now().Add(-time.Hour)
		d.mu.Lock()
		for n := range 3 {
			pod := d.objects["pods/feed-live-55f80be4-"+strconv.Itoa(n)].(*corev1.Pod)
			pod.Status.ContainerStatuses[0].State.Running.StartedAt = metav1.NewTime(began)
			pod.Status.ContainerStatuses[0].Ready = n == 1
			d.put("pods", pod)
		}
		d.mu.Unlock()
		s.until(t, "all have worked for an hour", func() bool {
			for _, task := range s.tasks {
				if !task.Started.Equal(began.UTC().Truncate(time.Second)) {
					return false
				}
			}
			return true
		})
		reasons, err := e.Explain(t.Context(), liveRun)
		if err != nil || (len(reasons) == 1) != (want != "") || want != "" && (reasons[0].Code != "NotReady" || reasons[0].Count != 2 || !strings.Contains(reasons[0].Text, want)) {
			t.Errorf("port %q: the reasons are %+v, %v", port, reasons, err)
		}
	}
}
