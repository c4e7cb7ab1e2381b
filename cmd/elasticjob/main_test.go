package main

import (
	"os"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/parts"
)

// asProgram makes this test binary be the program, for agents that are processes of their own.
const asProgram = "ELASTICJOB_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Setenv(asProgram, "1") // for children
	consoletest.Parts = parts.All()
	os.Exit(m.Run())
}

var (
	noEnv      = clitest.NoEnv
	envOf      = clitest.EnvOf
	eventually = clitest.Eventually
	oneScript  = clitest.OneJob
	startFake  = clitest.Registry
	after      = clitest.After
	status     = clitest.Status
)

// start runs the program until the test ends or stop is called.
func start(t *testing.T, env cli.Lookup, args ...string) *clitest.Running {
	t.Helper()
	return clitest.Start(t, program, &commandLine{}, env, args...)
}

func startAgent(t *testing.T, jobs string, args ...string) *clitest.Agent {
	t.Helper()
	return clitest.StartAgent(t, os.Args[0], jobs, args...)
}
