package rest

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
	"github.com/elasticjob-go/elasticjob/internal/console/reference"
	"github.com/elasticjob-go/elasticjob/internal/console/settings"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{pages.Routes, Routes, cloud.Routes, settings.Routes, reference.Routes}
	goleak.VerifyTestMain(m)
}
