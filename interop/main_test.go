//go:build interop

package interop

import (
	"fmt"
	"os"
	"testing"
)

// agentVariable makes the test binary an agent process.
const agentVariable = "INTEROP_AGENT"

func TestMain(m *testing.M) {
	if os.Getenv(agentVariable) != "" {
		if err := serve(os.Args[1:]); err != nil {
			report("REFUSED %v", err)
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if err := buildAll(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
