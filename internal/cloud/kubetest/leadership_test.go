//go:build kubernetes

package kubetest_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

// TestCL03AndCL05Lease: with the Role's rights, a leader keeps its lease even if it's deleted, and
// after a clean end the next one leads within three seconds.
func TestCL03AndCL05Lease(t *testing.T) {
	t.Parallel()
	namespace := fmt.Sprintf("test-%d", namespaces.Add(1))
	if err := cluster.Namespace(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	clients, err := kube.Connect(cluster.Scheduler)
	if err != nil {
		t.Fatal(err)
	}
	led := make(chan context.Context)
	stand := func(id string) (end func()) {
		ctx, cancel := context.WithCancel(context.Background())
		l := kube.NewLeadership(clients.Leases, namespace, id, kube.Timing{}, slog.New(slog.NewTextHandler(t.Output(), nil)))
		done := make(chan error, 1)
		go func() {
			done <- l.Run(ctx, func(term context.Context) {
				select {
				case led <- term:
					<-term.Done()
				case <-ctx.Done():
				}
			})
		}()
		return func() {
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("Run = %v; want that its context was cancelled", err)
			}
		}
	}
	leads := func() context.Context {
		select {
		case term := <-led:
			return term
		case <-time.After(patience):
			t.Fatal("no process leads")
			return nil
		}
	}
	endFirst := stand("first")
	term := leads()
	admin, err := kube.Connect(cluster.Admin)
	if err != nil {
		t.Fatal(err)
	}
	deleteLease(t, admin.Leases(namespace))
	if err := term.Err(); err != nil {
		t.Errorf("the leader whose lease was deleted: %v", err)
	}
	endSecond := stand("second")
	defer endSecond()
	endFirst()
	// It released the lease, so the second one needn't wait until the lease has expired.
	lease, err := admin.Leases(namespace).Get(t.Context(), kube.LeaseName, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if holder := lease.Spec.HolderIdentity; holder != nil && *holder == "first" {
		t.Error("the first one still holds the lease that it has left")
	}
	leads()
}

// deleteLease deletes the lease and waits until its leader creates it again.
func deleteLease(t *testing.T, leases *kube.Leases) {
	t.Helper()
	before, err := leases.Get(t.Context(), kube.LeaseName, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := leases.Delete(t.Context(), kube.LeaseName, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; {
		again, err := leases.Get(t.Context(), kube.LeaseName, metav1.GetOptions{})
		if err == nil && again.UID != before.UID {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the lease was not made again: %v", err)
		}
		select { // Not watched here, so poll.
		case <-t.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}
