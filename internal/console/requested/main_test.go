package requested

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	allpages "github.com/elasticjob-go/elasticjob/internal/console/pages"
	allrest "github.com/elasticjob-go/elasticjob/internal/console/rest"
	"github.com/elasticjob-go/elasticjob/internal/console/settings"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{allpages.Routes, allrest.Routes, cloud.Routes, settings.Routes, Routes}
	goleak.VerifyTestMain(m)
}
