package audit

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
	"github.com/elasticjob-go/elasticjob/internal/console/rest"
	"github.com/elasticjob-go/elasticjob/internal/console/settings"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{pages.Routes, rest.Routes, cloud.Routes, settings.Routes, Routes}
	goleak.VerifyTestMain(m)
}
