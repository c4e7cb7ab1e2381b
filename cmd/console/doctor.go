package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/doctor"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/migrations"
)

// doctorCommand is `console doctor`. It takes the flags of serve, so it sees what a console with the
// same flags or environment sees, and changes nothing.
type doctorCommand struct {
	JSON         bool `name:"json" variable:"no" help:"Print the findings as a list in JSON."`
	serveCommand `embed:""`
}

// renewBefore is how long before its end a certificate should be renewed.
const renewBefore = 14 * 24 * time.Hour

func (c *doctorCommand) Run(p *cli.Process) error {
	if len(c.Zookeeper) == 0 {
		return cli.Usage("Give the flags of serve: --zookeeper zk1:2181 --namespace billing. `elasticjob doctor --config FILE` checks a job file.",
			"there is nothing to check")
	}
	ctx, cancel := context.WithTimeout(p.Ctx, doctor.Limit)
	defer cancel()
	list, err := c.site(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return cli.Findings(p, list, c.JSON)
}

// site checks the console that would be served with these flags, its ZooKeeper and its databases.
func (c *doctorCommand) site(ctx context.Context, log *slog.Logger) ([]doctor.Finding, error) {
	opts, err := c.settings(log)
	if wrong, ok := errors.AsType[*cli.Failure](err); ok && wrong.Code == cli.ExitUsage {
		return nil, err
	}
	namespace, badName := jobtree.NewNamespace(c.Namespace)
	if badName != nil {
		return nil, cli.Usage("", "--namespace %q: %w", c.Namespace, badName)
	}
	var list []doctor.Finding
	if err != nil {
		list = append(list, unserved("serve", err))
	} else {
		list = consoleFindings(opts, time.Now())
	}
	found, err := c.databases(ctx)
	if err != nil {
		return nil, err
	}
	list = append(list, found...)
	if len(opts.registry.Servers) == 0 {
		return list, nil // A file with its credentials can't be read.
	}
	return append(list, doctor.ZooKeeper(ctx, opts.registry, namespace, true)...), nil
}

// databases checks the trace database and the console's own.
func (c *doctorCommand) databases(ctx context.Context) ([]doctor.Finding, error) {
	var list []doctor.Finding
	for _, named := range []struct {
		flag, dsn, dsnFile, file string
		check                    func(context.Context, string) []doctor.Finding
	}{
		{"dsn", c.DSN, c.DSNFile, "console.db", doctor.Database},
		{"settings-dsn", c.SettingsDSN, c.SettingsDSNFile, "settings.db", c.settingsKeyFits},
	} {
		dsn, err := cli.Secret(named.flag, named.dsn, named.dsnFile)
		if err == nil && dsn == "" {
			dsn, err = sqliteIn(c.Data, named.file)
		}
		if err != nil {
			return nil, err
		}
		if note := doctor.Absent(dsn); note != nil {
			list = append(list, *note)
			continue
		}
		list = append(list, named.check(ctx, dsn)...)
	}
	return list, nil
}

// settingsKeyFits checks the key of the console's own database, if there is one.
func (c *doctorCommand) settingsKeyFits(ctx context.Context, dsn string) []doctor.Finding {
	wrong := func(where string, err error) []doctor.Finding { return []doctor.Finding{unserved(where, err)} }
	if _, err := os.Stat(filepath.Join(c.Data, "settings.key")); err != nil && c.SettingsKey+c.SettingsKeyFile == "" {
		return wrong("--settings-key-file",
			cli.Fail("name the key of this database; without one the console makes a new key, which doesn't fit",
				"there is no settings.key in %s", c.Data))
	}
	key, err := settingsKey(c.SettingsKey, c.SettingsKeyFile, c.Data)
	if err != nil {
		return wrong("--settings-key-file", err)
	}
	db, err := store.Open(ctx, store.ReadOnly(dsn), slog.New(slog.DiscardHandler))
	if err != nil {
		return wrong("--settings-dsn", err)
	}
	defer func() { _ = db.Close() }() // It was only read.
	if !db.Migrator().HasTable(migrations.ConsoleTable) {
		return nil
	}
	if err := settings.New(db, key).CheckKey(ctx); err != nil {
		return wrong("--settings-key-file", err)
	}
	return nil
}

// unserved is an error with which a console doesn't start.
func unserved(where string, err error) doctor.Finding {
	fix := "correct the flag or the file"
	if wrong, ok := errors.AsType[*cli.Failure](err); ok && wrong.Remedy != "" {
		fix = wrong.Remedy
	}
	return doctor.New(doctor.Error, where, err.Error(), "the console doesn't start", fix)
}

// consoleFindings checks the accounts, the keys, TLS and the hosts of a console.
func consoleFindings(opts siteOptions, now time.Time) (list []doctor.Finding) {
	add := func(severity doctor.Severity, where, problem, why, fix string) {
		list = append(list, doctor.New(severity, where, problem, why, fix))
	}
	host, _, err := net.SplitHostPort(opts.listen)
	if err != nil {
		add(doctor.Error, "--listen", err.Error(), "the console doesn't start",
			"give host:port, such as 127.0.0.1:8899")
		return list
	}
	local := cli.Loopback(host)
	refused := doctor.Error // for other machines
	if local {
		refused = doctor.Note
	}
	accounts, err := loadAccounts(opts.accounts)
	switch {
	case err != nil:
		list = append(list, unserved("--auth", err))
	case accounts.DefaultPasswords():
		add(refused, "--auth", "an account has its shipped password or a placeholder",
			"every user who reaches the console is root there; it refuses to listen on other than loopback addresses",
			"copy conf/auth.properties, change the passwords and name the file with --auth")
	}
	if err == nil && accounts.Exposed() != nil {
		add(refused, "--auth", accounts.Exposed().Error(),
			"every user of this machine can sign in as root; the console listens on loopback addresses only",
			"run chmod o-r on the file, or write bcrypt hashes")
	}
	if opts.key == "" {
		add(doctor.Note, "--session-key", "there is no key file",
			"a restart signs all users out, and several consoles don't share sessions",
			"write 32 random bytes to a file and name it")
	} else if _, err := auth.ReadKey(opts.key); err != nil {
		list = append(list, unserved("--session-key", err))
	}
	if !local && !opts.encrypted {
		add(doctor.Warning, "--listen "+opts.listen, "neither the console nor a known proxy speaks TLS",
			"passwords, sessions and configurations cross the network in clear text",
			"give --tls-cert and --tls-key; if a proxy speaks TLS, give --trusted-proxies or --secure-cookies")
	}
	if opts.basicAuth && !local && !opts.encrypted {
		add(doctor.Warning, "--api-basic-auth", "passwords come with each request, without TLS",
			"they can be read on the way", "use tokens, or TLS")
	}
	if opts.tls != nil {
		pair, err := opts.tls.GetCertificate(nil)
		if err == nil && pair.Leaf != nil && now.Add(renewBefore).After(pair.Leaf.NotAfter) {
			severity := doctor.Warning
			if now.After(pair.Leaf.NotAfter) {
				severity = doctor.Error
			}
			add(severity, "--tls-cert", "the certificate ends on "+pair.Leaf.NotAfter.Format(time.RFC3339),
				"browsers and scripts refuse it after that",
				"renew it in place; the console reads it again without a restart")
		}
	}
	if !opts.hosts.Restricted() {
		add(doctor.Note, "--allowed-hosts", "the console answers to every name",
			"a page of another site can make its own name lead here (DNS rebinding)",
			"list the names of this console")
	}
	// An address for documentation, which no operator lists.
	if opts.allow.Check("192.0.2.1:1") == nil {
		add(doctor.Note, "--allow-hosts", "the console may connect to every address",
			"root can use it to reach machines that root's own browser can't",
			"list the hosts of your registries and databases")
	}
	return list
}

// examine logs the findings of a console that serves.
func (s *site) examine(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, doctor.Limit)
	defer cancel()
	namespace, err := jobtree.NewNamespace(s.opts.namespace)
	if err != nil {
		return // It doesn't serve with this name.
	}
	list := append(consoleFindings(s.opts, time.Now()), doctor.Tables(ctx, s.database.Database)...)
	list = append(list, doctor.ZooKeeper(ctx, s.opts.registry, namespace, false)...)
	doctor.LogAll(ctx, s.log, list)
}
