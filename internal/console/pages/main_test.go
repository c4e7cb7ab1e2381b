package pages

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/reference"
	"github.com/elasticjob-go/elasticjob/internal/console/rest"
	"github.com/elasticjob-go/elasticjob/internal/console/settings"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{Routes, rest.Routes, cloud.Routes, settings.Routes, reference.Routes}
	goleak.VerifyTestMain(tests{m})
}

// tests are all tests of this package.
type tests struct{ *testing.M }

// afterTests ends the browser that the tests have shared.
var afterTests = func() {}

func (m tests) Run() int {
	defer afterTests()
	return m.M.Run()
}
