package rest

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{pages.Routes, Routes}
	goleak.VerifyTestMain(m)
}
