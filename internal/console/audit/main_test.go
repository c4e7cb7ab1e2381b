package audit

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/servers"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
	"github.com/elasticjob-go/elasticjob/internal/console/rest"
	"github.com/elasticjob-go/elasticjob/internal/console/settings"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{pages.Routes, rest.Routes, cloud.Routes, settings.Routes, Routes, servers.Routes}
	goleak.VerifyTestMain(m)
}
