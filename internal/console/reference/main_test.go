package reference

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []app.Part{Routes}
	goleak.VerifyTestMain(m)
}
