// Command build builds the control plane's programs in advance for the tests. It takes minutes the
// first time and nothing afterwards.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
)

func main() { os.Exit(build()) }

func build() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	if err := kubetest.Build(ctx, log); err != nil {
		log("%v", err)
		return 1
	}
	return 0
}
