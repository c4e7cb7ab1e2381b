package app_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/parts"
)

func TestMain(m *testing.M) {
	consoletest.Parts = parts.All()
	goleak.VerifyTestMain(m)
}
