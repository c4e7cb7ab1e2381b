package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // Cron zones work on an image without a zone database.
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks; as the handler is removed then, the second one kills.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.LookupEnv))
}
