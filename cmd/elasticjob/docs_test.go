package main

import (
	"flag"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
)

var update = flag.Bool("update", false, "rewrite the tables in the documents")

// TestConfigurationDocument compares the tables of flags with the flags.
func TestConfigurationDocument(t *testing.T) {
	t.Parallel()
	clitest.Flags(t, "../../docs/elasticjob.md", program, &commandLine{}, *update, nil)
}
