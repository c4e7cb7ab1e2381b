package crdstore_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestStoreConformance runs the tests for every store on the double. TestCustomResources of package
// kubetest does so on a real control plane.
func TestStoreConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) cloud.Store { return newDouble(t).open(t) })
}
