package storetest_test

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/internal/cloud/storetest"
)

// TestFakeStore: the fake does what every store has to do.
func TestFakeStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) cloud.Store { return cloudfake.NewStore() })
}
