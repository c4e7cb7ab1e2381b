package zkstore_test

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestStoreConformance runs the tests for every store on the in-process server and a real one.
func TestStoreConformance(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		storetest.Run(t, func(t *testing.T) cloud.Store { return newFixture(t, srv) })
	})
}
