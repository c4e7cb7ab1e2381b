package pages_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
	"github.com/elasticjob-go/elasticjob/internal/console/parts"
)

func TestMain(m *testing.M) {
	consoletest.Parts = parts.All()
	goleak.VerifyTestMain(tests{m})
}

// tests are all tests of this package.
type tests struct{ *testing.M }

func (m tests) Run() int {
	defer pages.AfterTests()
	return m.M.Run()
}
