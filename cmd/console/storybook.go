package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/web/templates/storybook"
)

// storybookCommand is `console storybook`: every component of the pages with sample
// data, for those who change how the console looks.
type storybookCommand struct {
	Listen string `default:"127.0.0.1:8897" placeholder:"HOST:PORT" help:"Where to listen."`
}

func (c *storybookCommand) Run(p *cli.Process) error {
	l, err := new(net.ListenConfig).Listen(p.Ctx, "tcp", c.Listen)
	if err != nil {
		return cli.Fail("Choose another address with --listen.", "storybook: %w", err)
	}
	server := &http.Server{Handler: storybook.Handler(), ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	fmt.Fprintf(p.Stdout, "The components of the console: http://%s/ (ends with Ctrl-C)\n", l.Addr())
	select {
	case err := <-ended:
		return fmt.Errorf("storybook: %w", err)
	case <-p.Ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.Ctx), 5*time.Second)
	defer cancel()
	if err := errors.Join(server.Shutdown(ctx), server.Close()); err != nil {
		return fmt.Errorf("storybook: %w", err)
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("storybook: %w", err)
	}
	return nil
}
