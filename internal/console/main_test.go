package console_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	cloudarea "github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
	"github.com/elasticjob-go/elasticjob/internal/console/rest"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{pages.Routes, rest.Routes, cloudarea.Routes}
	goleak.VerifyTestMain(m)
}
