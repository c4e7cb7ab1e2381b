package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// serveCommand is `console serve`.
type serveCommand struct {
	Zookeeper       []string           `placeholder:"HOST:PORT,…" help:"The ZooKeeper ensemble of the agents; behind the last address a chroot, if there is one: zk1:2181,zk2:2181/elastic. Required."`
	Namespace       string             `placeholder:"NAME" help:"The namespace of the agents. Required."`
	Digest          string             `placeholder:"USER:PASSWORD" help:"ZooKeeper digest credentials, if the ensemble asks for them."`
	DigestFile      string             `placeholder:"FILE" help:"A file with the value of --digest."`
	SessionTimeout  time.Duration      `default:"30s" help:"Session timeout asked of ZooKeeper."`
	Access          cli.ZooKeeperFlags `embed:"" prefix:"zookeeper-"`
	DSN             string             `name:"dsn" placeholder:"DSN" help:"The trace database: mysql://user:password@host:3306/name, postgres://user:password@host:5432/name or sqlite:///path/file.db. Default: console.db in the data folder."`
	DSNFile         string             `name:"dsn-file" placeholder:"FILE" help:"A file with the value of --dsn."`
	SettingsDSN     string             `name:"settings-dsn" placeholder:"DSN" help:"The console's own database, for its audit and for who signed out; consoles may share it. In the forms of --dsn. Default: settings.db in the data folder."`
	SettingsDSNFile string             `name:"settings-dsn-file" placeholder:"FILE" help:"A file with the value of --settings-dsn."`
	SettingsKey     string             `placeholder:"KEY" help:"Encrypts the secrets in the console's own database: 32 bytes in base64 or hexadecimal digits. Consoles that share the database share it."`
	SettingsKeyFile string             `placeholder:"FILE" help:"A file with the value of --settings-key. Default: settings.key in the data folder, made at the first start."`
	AllowHosts      []string           `placeholder:"HOST,…" help:"Where the console may connect to when root enters a registry or a data source, or asks a process for a dump: names, *.suffixes, addresses or ranges, each with a port or without. Default: only the servers of --zookeeper."`
	Data            string             `default:"data" placeholder:"DIR" help:"The folder of the default databases."`
	KeepDays        int                `default:"0" placeholder:"DAYS" help:"Delete executions and requested runs older than this, every hour and in small steps. 0 keeps them, as it should if others clean up the database."`
	KeepRows        int                `default:"0" placeholder:"ROWS" help:"Delete all but this many of the newest executions, steps and requested runs, likewise. 0 keeps them."`
	KeepLogs        int                `name:"keep-log-days" default:"0" placeholder:"DAYS" help:"Delete lines that handlers logged that are older than this, likewise. 0 keeps them as long as their runs."`
	KeepAuditDays   int                `default:"400" placeholder:"DAYS" help:"Delete audit records in the console's own database older than this, likewise; that it did is a record, too. 0 keeps them."`
	KeepAuditRows   int                `default:"0" placeholder:"ROWS" help:"Delete all but this many of the newest audit records, likewise. 0 keeps them."`
	Listen          string             `default:"127.0.0.1:8899" placeholder:"HOST:PORT" help:"Where browsers come to. Any other than a loopback address needs accounts with passwords of your own."`
	Auth            string             `placeholder:"FILE" help:"The accounts. Default: conf/auth.properties, else root/root and guest/guest. Read again on SIGHUP."`
	SessionKey      string             `placeholder:"FILE" help:"A file with at least 32 random bytes that signs sessions. Default: a random key, with which a restart signs everybody out."`
	SecureCookies   bool               `help:"Browsers reach the console over TLS only, by a proxy that is none of --trusted-proxies: mark cookies accordingly."`
	Doors           doorFlags          `embed:""`
	Wire            wireFlags          `embed:""`
	OIDC            oidcFlags          `embed:"" prefix:"oidc-"`
	Cloud           cloudFlags         `embed:""`
	LogLink         string             `placeholder:"URL" help:"Where the full log of an execution is, for a link on the pages of runs: the address in Grafana, Kibana or the like, with {job}, {run}, {shard}, {attempt}, {execution}, {task}, {ip}, {host}, {from}, {to}, {from_ms} or {to_ms} where these go."`
	MetricsAddr     string             `name:"metrics-addr" placeholder:"HOST:PORT" help:"Answer GET /metrics, for Prometheus, here too, without a token; without a host to this machine alone. Default: only at --listen, to who has signed in."`
	DrainDelay      time.Duration      `default:"0s" help:"How long to answer on after readiness is off, for load balancers to notice."`
}

func (c *serveCommand) Run(p *cli.Process) error {
	opts, err := c.options(p.Log)
	if err != nil {
		return err
	}
	s := newSite(opts, p.Log)
	if err := s.start(p.Ctx); err != nil {
		return err
	}
	s.keep(p.Ctx, "stop looking whether the registry was read", func(ctx context.Context) {
		keepSmall(ctx, func() bool { return !s.known().Since.IsZero() })
	})
	s.keep(p.Ctx, "stop the doctor", s.examine)
	return s.run(p.Ctx)
}

// run serves until ctx ends or the listener breaks, then stops the site.
func (s *site) run(ctx context.Context) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	for {
		select {
		case <-hangups:
			s.reload()
		case <-ctx.Done():
			s.log.InfoContext(ctx, "stopping", slog.Any("cause", context.Cause(ctx)))
			return s.stop()
		case err := <-s.failed:
			// The reason is the news; what failed on the way down was logged.
			_ = s.stop()
			return err
		}
	}
}

// options checks the flags and fills in what depends on others. It makes the data folder, and a key
// in it, if there are none.
func (c *serveCommand) options(log *slog.Logger) (siteOptions, error) {
	opts, err := c.settings(log)
	if err != nil {
		return opts, err
	}
	if opts.dsn, err = databaseName("dsn", c.DSN, c.DSNFile, c.Data, "console.db"); err != nil {
		return opts, err
	}
	if opts.settings, err = databaseName("settings-dsn", c.SettingsDSN, c.SettingsDSNFile, c.Data, "settings.db"); err != nil {
		return opts, err
	}
	opts.settingsKey, err = settingsKey(c.SettingsKey, c.SettingsKeyFile, c.Data)
	return opts, err
}

// settings returns the options without the databases and their key, and makes no file. After an error
// the options are incomplete.
func (c *serveCommand) settings(log *slog.Logger) (opts siteOptions, err error) {
	if err := c.complete(); err != nil {
		return opts, err
	}
	digest, err := cli.Secret("digest", c.Digest, c.DigestFile)
	if err != nil {
		return opts, err
	}
	secure, err := c.Access.Config()
	if err != nil {
		return opts, err
	}
	opts = siteOptions{
		commandChanges: c.Doors.AllowCommandChanges, basicAuth: c.Doors.APIBasicAuth,
		listen: c.Listen, accounts: c.Auth, data: c.Data, namespace: c.Namespace,
		registry: zk.Config{Servers: c.Zookeeper, Digest: digest, SessionTimeout: c.SessionTimeout, Logger: log, TLS: secure, ACL: zk.ACL(c.Access.ACL)},
		key:      c.SessionKey, secure: c.SecureCookies, drainDelay: c.DrainDelay, metrics: c.MetricsAddr,
	}
	if opts.allow, err = c.outbound(); err != nil {
		return opts, err
	}
	if opts.logLink, err = app.ParseLogLink(c.LogLink); err != nil {
		return opts, cli.Usage("Give an address such as https://grafana.example.com/d/jobs?var-job={job}&from={from_ms}&to={to_ms}.", "--log-link: %w", err)
	}
	if opts.base, err = c.Wire.base(); err != nil {
		return opts, err
	}
	if opts.proxies, err = c.Wire.proxies(); err != nil {
		return opts, err
	}
	if opts.hosts, err = c.Doors.hosts(c.Listen, c.OIDC.host()...); err != nil {
		return opts, err
	}
	if opts.keep, opts.keepAudit, err = c.retentions(); err != nil {
		return opts, err
	}
	if opts.tls, err = serverTLS(c.Wire.TLSCert, c.Wire.TLSKey, log); err != nil {
		return opts, err
	}
	opts.encrypted = c.SecureCookies || opts.tls != nil || len(c.Wire.TrustedProxies) > 0
	if opts.oidc, err = c.OIDC.options(opts.base, opts.encrypted); err != nil {
		return opts, err
	}
	opts.cloud, err = c.Cloud.options(c.Data, c.OIDC.site(), c.Doors.AllowCommandChanges)
	return opts, err
}

// complete says what must be given and is not.
func (c *serveCommand) complete() error {
	if len(c.Zookeeper) == 0 {
		return cli.Usage("Name the ensemble your agents use: --zookeeper zk1:2181,zk2:2181 (or "+cli.EnvName("zookeeper")+").\nTo look around without one, run `console demo`: it brings a registry of its own.", "no ZooKeeper is named")
	}
	if c.Namespace == "" {
		return cli.Usage("Give the namespace your agents register in: --namespace billing (or "+cli.EnvName("namespace")+").", "no namespace is named")
	}
	return nil
}

// retentions is how long executions, and records of the audit, are kept.
func (c *serveCommand) retentions() (rdb.Retention, settings.AuditRetention, error) {
	keep, err := traceRetention(c.KeepDays, c.KeepRows, c.KeepLogs)
	if err != nil {
		return keep, settings.AuditRetention{}, err
	}
	audit, err := retention(c.KeepAuditDays, c.KeepAuditRows)
	return keep, settings.AuditRetention{Age: audit.Age, Rows: audit.Rows}, err
}

// outbound is where the console may connect to: what --allow-hosts says, and the
// ensemble.
func (c *serveCommand) outbound() (outbound.List, error) {
	hosts := slices.Clone(c.AllowHosts)
	ensemble, _, _ := zk.ParseServers(c.Zookeeper) // Refused, if wrong, when the client opens.
	for _, server := range ensemble {
		// One that cannot be on the list can be connected to all the same: it was
		// not entered by somebody who uses the console.
		if _, err := outbound.Parse([]string{server}); err == nil {
			hosts = append(hosts, server)
		}
	}
	allow, err := outbound.Parse(hosts)
	if err != nil {
		return allow, cli.Usage("Give hosts such as zk2.example.com:2181, *.example.com, 10.0.0.0/8 or *.", "--allow-hosts: %w", err)
	}
	return allow, nil
}

// settingsKey is the key from the flags: given, in a file, or the default file
// in the data folder, which is then made.
func settingsKey(text, file, folder string) (settings.Key, error) {
	text, err := cli.Secret("settings-key", text, file)
	if err != nil {
		return settings.Key{}, err
	}
	hint := "The secrets in the console's own database are encrypted with it; consoles that share the database share the key."
	if text != "" {
		key, err := settings.ParseKey(text)
		if err != nil {
			return key, cli.Usage(hint, "--settings-key: %w", err)
		}
		return key, nil
	}
	if err := makeDataFolder(folder); err != nil {
		return settings.Key{}, err
	}
	key, err := settings.KeyFile(filepath.Join(folder, "settings.key"))
	if err != nil {
		return key, cli.Fail(hint, "%w", err)
	}
	return key, nil
}

// databaseName is the connection string from the flags: given, in a file, or
// the default file in the data folder, which is then created.
func databaseName(flag, dsn, file, folder, name string) (string, error) {
	dsn, err := cli.Secret(flag, dsn, file)
	if err != nil || dsn != "" {
		return dsn, err
	}
	if err := makeDataFolder(folder); err != nil {
		return "", err
	}
	return sqliteIn(folder, name)
}
