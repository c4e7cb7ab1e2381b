package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// healthCommand is `console health`: the health check of an image that has no
// other program in it.
type healthCommand struct {
	Listen  string        `default:"127.0.0.1:8899" placeholder:"HOST:PORT" variable:"" help:"Where the console listens, as given to serve."`
	Path    string        `default:"/healthz" enum:"/healthz,/readyz" help:"/healthz asks whether the process answers, /readyz whether it can serve pages, with the state of ZooKeeper and the databases."`
	TLSCert string        `name:"tls-cert" placeholder:"FILE" variable:"" help:"The certificate of the console, as given to serve: ask over TLS, and trust this certificate alone."`
	Timeout time.Duration `default:"2s" help:"How long to wait for the answer."`
}

func (c *healthCommand) Run(p *cli.Process) error {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return cli.Usage("--listen takes host:port, such as 127.0.0.1:8899.", "--listen %q: %w", c.Listen, err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // It listens on every address, so on this one.
	}
	ctx, cancel := context.WithTimeout(p.Ctx, c.Timeout)
	defer cancel()
	client, scheme := http.DefaultClient, "http://"
	if c.TLSCert != "" {
		trust, err := cli.Pinned(c.TLSCert)
		if err != nil {
			return err
		}
		client, scheme = &http.Client{Transport: &http.Transport{TLSClientConfig: trust}}, "https://"
		defer client.CloseIdleConnections()
	}
	target := scheme + net.JoinHostPort(host, port) + c.Path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return fmt.Errorf("health: %w", err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return cli.Fail("Is the console running, and is that its --listen address?", "health: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
	if err != nil {
		return fmt.Errorf("health: read %s: %w", target, err)
	}
	if resp.StatusCode != http.StatusOK {
		return cli.Fail("", "health: %s answered %s: %s", target, resp.Status, strings.TrimSpace(string(body)))
	}
	_, err = fmt.Fprintf(p.Stdout, "%s\n", strings.TrimSpace(string(body)))
	return err
}
