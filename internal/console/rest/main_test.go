package rest

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	cloudarea "github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{pages.Routes, Routes, cloudarea.Routes}
	goleak.VerifyTestMain(m)
}
