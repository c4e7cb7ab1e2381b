package reference

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{Routes}
	goleak.VerifyTestMain(m)
}
