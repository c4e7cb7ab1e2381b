package main

import (
	"net"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

// doorFlags say who may come in to a console, and what may be changed there.
// They are those of every command that serves one.
type doorFlags struct {
	AllowedHosts        []string `placeholder:"NAME,…" help:"Names by which browsers may call this console, in the Host of a request: names, *.suffixes, addresses or ranges. Default: on a loopback address only localhost and loopback addresses, elsewhere every name. Not to be taken for --allow-hosts."`
	APIBasicAuth        bool     `name:"api-basic-auth" help:"Take name and password as HTTP Basic on /api besides tokens, as scripts for ElasticJob 2.x send them. The password then comes with every request: use it over TLS only."`
	AllowCommandChanges bool     `help:"Let root change what agents execute and whom they call: script.command.line, http.uri, webhooks, mail servers. Whoever is root then runs code on the agents. Default: such changes are refused."`
}

// wireFlags say how browsers and proxies reach a console.
type wireFlags struct {
	TLSCert        string   `name:"tls-cert" placeholder:"FILE" help:"Speak TLS with the certificate in this PEM file, the authorities between after it. Read again when it changes."`
	TLSKey         string   `name:"tls-key" placeholder:"FILE" help:"The key that goes with --tls-cert, in PEM. Not readable by others."`
	BasePath       string   `placeholder:"PATH" help:"The path below which browsers find this console, such as /ops, if a proxy gives it no host of its own. The proxy may pass the path on or take it off."`
	TrustedProxies []string `placeholder:"CIDR,…" help:"Reverse proxies in front of this console, as addresses or networks: X-Forwarded-For and X-Forwarded-Proto count if they come from these. Default: from nobody."`
}

// base is the path of --base-path.
func (f *wireFlags) base() (string, error) {
	path, err := app.ParseBasePath(f.BasePath)
	if err != nil {
		return "", cli.Usage("Give the path below which the proxy shows the console, such as --base-path /ops.", "--base-path: %w", err)
	}
	return path, nil
}

// proxies are those of --trusted-proxies.
func (f *wireFlags) proxies() (app.Proxies, error) {
	p, err := app.ParseProxies(f.TrustedProxies)
	if err != nil {
		return p, cli.Usage("Give the addresses of the proxies themselves, such as 10.0.0.7 or 10.0.3.0/24.", "--trusted-proxies: %w", err)
	}
	return p, nil
}

// hosts are the names that a console at an address answers to; more are those
// that follow from other flags.
func (f *doorFlags) hosts(listen string, more ...string) (app.Hosts, error) {
	host, _, err := net.SplitHostPort(listen)
	local := err == nil && cli.Loopback(host)
	entries := f.AllowedHosts
	if local || len(entries) > 0 { // or they would restrict where nothing was to be
		entries = append(entries[:len(entries):len(entries)], more...)
	}
	hosts, err := app.ParseHosts(local, entries)
	if err != nil {
		return hosts, cli.Usage("Give names such as jobs.example.com, *.example.com or 10.0.0.7.", "--allowed-hosts: %w", err)
	}
	return hosts, nil
}
