package servers

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/audit"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
	"github.com/elasticjob-go/elasticjob/internal/console/rest"
	"github.com/elasticjob-go/elasticjob/internal/console/settings"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{pages.Routes, rest.Routes, cloud.Routes, settings.Routes, audit.Routes, Routes}
	goleak.VerifyTestMain(m)
}
