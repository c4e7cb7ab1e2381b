package crdstore_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestStoreConformance: what every store has to do, against the double. What it says of a
// real control plane is TestCustomResources of package kubetest.
func TestStoreConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) cloud.Store { return newDouble(t).open(t) })
}
