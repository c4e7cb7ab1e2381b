package storetest_test

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/internal/cloud/storetest"
)

func TestFakeStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) cloud.Store { return cloudfake.NewStore() })
}
