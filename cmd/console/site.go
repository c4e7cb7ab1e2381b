package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/elasticjob-go/elasticjob/conf"
	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/connection"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/parts"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/registries"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// defaultAccounts is where the accounts are looked for when no file is named.
const defaultAccounts = "conf/auth.properties"

// siteOptions is what a console needs to know. All values are final: defaults
// were filled in, secrets read from their files.
type siteOptions struct {
	listen      string
	accounts    string // path of auth.properties; "": defaultAccounts, else the shipped ones
	registry    zk.Config
	namespace   string
	dsn         string
	settings    string        // connection string of the console's own database
	data        string        // the folder where entered SQLite files are
	settingsKey settings.Key  // of the secrets there
	allow       outbound.List // where entered registries may be
	keep        rdb.Retention // zero: nothing is deleted
	keepAudit   settings.AuditRetention
	key         string      // path of the signing key; "": a random one
	oidc        *auth.OIDC  // nil: passwords only
	secure      bool        // browsers come over TLS
	hosts       app.Hosts   // by which it may be called
	proxies     app.Proxies // in front of it
	base        string      // the path below which browsers find it
	logLink     app.LogLink // to the full logs of executions
	tls         *tls.Config // nil: plain HTTP
	encrypted   bool        // browsers come over TLS, perhaps to a proxy
	drainDelay  time.Duration
	// commandChanges: root may change what agents execute.
	commandChanges bool
	// basicAuth: the API takes HTTP Basic besides tokens.
	basicAuth bool
	metrics   string // where Prometheus is answered without a token; "": nowhere
	// cloud: jobs of ElasticJob-Cloud run on this host; nil for none.
	cloud *cloudOptions
}

// site is one running console: listener, database, registry, pages. Start it
// once, stop it as often as you like.
type site struct {
	opts siteOptions
	log  *slog.Logger

	cleanups cli.Cleanups
	listener net.Listener
	server   *http.Server
	pages    *app.Console
	known    func() statistics.Known // of the registry of the command line
	database *store.DB
	own      *store.DB // the console's own
	settings *settings.Store
	cloud    *cloudParts // nil if it is off
	failed   chan error  // the listener broke while serving
	draining atomic.Bool

	stopOnce sync.Once
	stopErr  error
}

func newSite(opts siteOptions, log *slog.Logger) *site {
	return &site{opts: opts, log: log, cleanups: cli.Cleanups{Log: log}, failed: make(chan error, 1)}
}

// start brings the site up. It needs the database and the port, but not the
// registry: pages say that it is away and recover by themselves. After an
// error nothing is left running.
func (s *site) start(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			// What failed to start is the news; what failed to stop because of
			// it was logged.
			_ = s.stop()
		}
	}()

	accounts, err := loadAccounts(s.opts.accounts)
	if err != nil {
		return err
	}
	if err := s.listen(ctx, accounts); err != nil {
		return err
	}
	if err := s.openDatabase(ctx); err != nil {
		return err
	}
	if err := s.openSettings(ctx); err != nil {
		return err
	}
	namespace, err := jobtree.NewNamespace(s.opts.namespace)
	if err != nil {
		return cli.Usage("The namespace is the folder in ZooKeeper below which the agents register, such as my-team/billing.", "--namespace %q: %w", s.opts.namespace, err)
	}
	metrics := app.NewMetrics(newRegistry())
	client, err := s.connect(metrics)
	if err != nil {
		return err
	}
	if err := s.startCloud(ctx, metrics); err != nil {
		return err
	}
	options, err := s.wire(connection.New(client, namespace), client, metrics, accounts)
	if err != nil {
		return err
	}
	if s.pages, err = app.New(options, parts.All()...); err != nil {
		return fmt.Errorf("build the console: %w", err)
	}
	if err := cli.AnswerMetrics(ctx, s.opts.metrics, metrics.Handler(s.log), &s.cleanups, s.log); err != nil {
		return err
	}
	s.cleanUp(ctx)
	s.keep(ctx, "stop counting results", s.count)
	s.keep(ctx, "stop reading the newest runs", s.pages.KeepHealth)
	s.keep(ctx, "stop watching the instances", s.pages.KeepInstances)
	s.keep(ctx, "stop enabling jobs at their times", s.pages.KeepPromises)
	s.serve()
	s.log.InfoContext(ctx, "console started", slog.String("address", s.url()), slog.String("version", build.Get().Version),
		slog.Any("accounts", accounts), slog.String("zookeeper", strings.Join(s.opts.registry.Servers, ",")),
		slog.String("namespace", s.opts.namespace), slog.String("database", s.database.Dialect))
	return nil
}

// connect opens the session with ZooKeeper.
func (s *site) connect(metrics *app.Metrics) (*zk.Client, error) {
	ensemble := s.opts.registry
	ensemble.Observe = requested(metrics)
	client, err := zk.Open(ensemble)
	if err != nil {
		return nil, cli.Usage("Give the ensemble as host:port, several separated by commas, and a chroot behind the last: zk1:2181,zk2:2181/elastic.\n"+cli.ZooKeeperHint, "--zookeeper %s: %w", strings.Join(s.opts.registry.Servers, ","), err)
	}
	s.cleanups.Add("close the ZooKeeper session", 5*time.Second, func(context.Context) error { return client.Close() })
	return client, nil
}

// wire says what the console stands on: readers and operators of the registry, what
// was entered, and the databases.
func (s *site) wire(at *connection.Connection, client *zk.Client, metrics *app.Metrics, accounts *auth.Accounts) (app.Options, error) {
	opened := (*registry.Registry)(at)
	reader := statistics.NewWatchingReader(opened)
	s.known = reader.Known
	s.cleanups.Add("stop watching the jobs", time.Second, func(context.Context) error { reader.Close(); return nil })
	pool := registries.NewPool(registries.Options{Allow: s.opts.allow, SessionTimeout: s.opts.registry.SessionTimeout, Logger: s.log})
	s.cleanups.Add("close the registries", 5*time.Second, func(context.Context) error { pool.Close(); return nil })
	sources := registries.NewDatabases(registries.DatabaseOptions{Allow: s.opts.allow, Folder: s.opts.data, Logger: s.log})
	s.cleanups.Add("close the entered trace databases", 5*time.Second, func(context.Context) error { sources.Close(); return nil })
	options := app.Options{
		Jobs: reader, Known: reader.Known, Changes: reader.OnChange, Instances: reader, Memory: reader.Memory(), Metrics: metrics,
		Operator: lifecycle.NewOperator(opened).DialWith(s.opts.allow.Dial),
		History:  rdb.NewStore(s.database.Database),
		Health: health{
			client: client, database: s.database, namespace: s.opts.namespace,
			address: strings.Join(s.opts.registry.Servers, ","),
		},
		Settings:      s.settings,
		Registries:    registries.Registries(pool),
		Sources:       registries.Traces(sources),
		Accounts:      accounts,
		OIDC:          s.opts.oidc,
		SecureCookies: s.opts.secure,
		Proxies:       s.opts.proxies,
		BasePath:      s.opts.base,
		Hosts:         s.opts.hosts, CommandChanges: s.opts.commandChanges, APIBasicAuth: s.opts.basicAuth, LogLink: s.opts.logLink,
		Version: build.Get().Version,
		Logger:  s.log,
	}
	if s.cloud != nil {
		options.Cloud = &app.Cloud{
			Store: s.cloud.store, Engine: s.cloud.engine, Seen: s.cloud.scheduler, Zone: s.opts.cloud.zone, Record: s.cloud.record, Namespaces: s.cloud.namespaces,
			ReadTree: registries.CloudTrees(pool, client), Unnotified: s.cloud.notices.Check,
		}
	}
	if s.opts.key != "" {
		key, err := auth.ReadKey(s.opts.key)
		if err != nil {
			return options, cli.Fail("--session-key names a file with at least 32 random bytes that only this user can read.", "%w", err)
		}
		options.Key = key
	}
	return options, nil
}

// listen takes the port before anything else is touched: a second console
// started by mistake must not migrate the database of the first.
func (s *site) listen(ctx context.Context, accounts *auth.Accounts) error {
	hint := "--listen takes host:port, such as 127.0.0.1:8899; port 0 picks a free one."
	host, _, err := net.SplitHostPort(s.opts.listen)
	if err != nil {
		return cli.Usage(hint, "--listen %q: %w", s.opts.listen, err)
	}
	if !cli.Loopback(host) && accounts.DefaultPasswords() {
		return cli.Fail("Copy conf/auth.properties, change both passwords (plain or bcrypt), leave out the guest lines if there is to be no guest,\nand name the file with --auth. Or listen on 127.0.0.1 only.",
			"--listen %s can be reached from other machines and an account still has its shipped password or a placeholder", s.opts.listen)
	}
	if !cli.Loopback(host) {
		if err := accounts.Exposed(); err != nil {
			return cli.Fail("Run chmod o-r on the file, or write the passwords as bcrypt hashes.", "%w", err)
		}
	}
	s.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", s.opts.listen)
	if err != nil {
		return cli.Fail("Another program may be using the address (perhaps a second console): stop it,\nor choose another address with --listen, such as --listen 127.0.0.1:9000.", "cannot listen on %s: %w", s.opts.listen, err)
	}
	s.cleanups.Add("close the listener", time.Second, func(context.Context) error {
		if err := s.listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			return err
		}
		return nil
	})
	return nil
}

func (s *site) openDatabase(ctx context.Context) (err error) {
	if s.database, err = openDatabase(ctx, s.opts.dsn, s.log); err != nil {
		return err
	}
	s.cleanups.Add("close the database", 5*time.Second, func(context.Context) error { return s.database.Close() })
	if err := s.database.Migrate(ctx); err != nil {
		return databaseFailure(err)
	}
	return nil
}

// openSettings opens the console's own database.
func (s *site) openSettings(ctx context.Context) (err error) {
	if s.own, err = store.Open(ctx, s.opts.settings, s.log); err != nil {
		return settingsFailure(err)
	}
	s.cleanups.Add("close the console's own database", 5*time.Second, func(context.Context) error { return s.own.Close() })
	if err := s.own.MigrateConsole(ctx); err != nil {
		return settingsFailure(err)
	}
	s.settings = settings.New(s.own, s.opts.settingsKey)
	if err := s.settings.CheckKey(ctx); err != nil {
		return cli.Fail("Give the key that the other consoles of this database have, or that this one had: --settings-key-file names it,\nand by default it is settings.key in the --data folder.", "%w", err)
	}
	return nil
}

func settingsFailure(err error) error {
	return cli.Fail("The console's own database is the value of --settings-dsn or --settings-dsn-file, else a SQLite file in the --data folder.", "%w", err)
}

// cleanUp deletes old rows while the site runs: of the history if it was asked
// to, of its own database what has expired.
func (s *site) cleanUp(ctx context.Context) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		keepPruning(ctx, func(ctx context.Context) {
			if s.opts.keep == (rdb.Retention{}) {
				return
			}
			if _, err := prune(ctx, s.database, s.opts.keep, s.log); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "old trace rows could not be deleted, the next try is in an hour", slog.Any("err", err))
			}
		}, func(ctx context.Context) { pruneAudit(ctx, s.settings, s.opts.keepAudit, s.log) },
			func(ctx context.Context) { forgetTokens(ctx, s.settings, s.log) })
	}()
	s.cleanups.Add("stop deleting old rows", 5*time.Second, func(context.Context) error {
		cancel()
		<-done
		return nil
	})
}

// openDatabase opens what dsn names. The error names the value, without its
// password, and the remedy.
func openDatabase(ctx context.Context, dsn string, log *slog.Logger) (*store.DB, error) {
	db, err := store.Open(ctx, dsn, log)
	if err != nil {
		return nil, databaseFailure(err)
	}
	return db, nil
}

// newServer bounds what a caller can take of a server: time and headers. Bodies
// are the console's business.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: cli.ReadHeaderTimeout, ReadTimeout: cli.ReadTimeout, WriteTimeout: cli.WriteTimeout, IdleTimeout: cli.IdleTimeout,
		MaxHeaderBytes: cli.MaxHeader,
		ErrorLog:       cli.ServerErrors(log),
	}
}

// serve starts answering.
func (s *site) serve() {
	s.server = newServer(http.HandlerFunc(s.answer), s.log)
	s.server.TLSConfig = s.opts.tls
	go func() {
		serve := s.server.Serve
		if s.opts.tls != nil {
			serve = func(l net.Listener) error { return s.server.ServeTLS(l, "", "") }
		}
		if err := serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serve %s: %w", s.addr(), err)
		}
	}()
	s.server.RegisterOnShutdown(s.pages.EndStreams)
	s.cleanups.Add("shut down the HTTP server", 10*time.Second, func(ctx context.Context) error {
		if err := s.server.Shutdown(ctx); err != nil {
			return errors.Join(err, s.server.Close())
		}
		return nil
	})
	if s.opts.drainDelay > 0 {
		s.cleanups.Add("drain", s.opts.drainDelay+time.Second, func(ctx context.Context) error {
			s.draining.Store(true)
			select {
			case <-time.After(s.opts.drainDelay):
			case <-ctx.Done():
			}
			return nil
		})
	}
}

// answer is the console, except that a site about to stop is not ready.
func (s *site) answer(w http.ResponseWriter, r *http.Request) {
	if s.draining.Load() && r.URL.Path == "/readyz" {
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	}
	s.pages.ServeHTTP(w, r)
}

// addr is the address it really listens on.
func (s *site) addr() string { return s.listener.Addr().String() }

// url is how a browser on this machine reaches it.
func (s *site) url() string {
	if s.opts.tls != nil {
		return "https://" + s.addr()
	}
	return "http://" + s.addr()
}

// reload reads the accounts again. With a mistake in the file the old accounts
// stay.
func (s *site) reload() {
	accounts, err := loadAccounts(s.opts.accounts)
	if host, _, splitErr := net.SplitHostPort(s.opts.listen); err == nil && (splitErr != nil || !cli.Loopback(host)) {
		if err = accounts.Exposed(); accounts.DefaultPasswords() {
			err = errors.New("an account has its shipped password or a placeholder, which is refused while other machines can reach the console")
		}
	}
	if err != nil {
		s.log.Error("accounts not reloaded, the old ones stay", slog.Any("err", err))
		return
	}
	s.pages.SetAccounts(accounts)
	s.log.Info("accounts reloaded", slog.Any("accounts", accounts))
}

// stop ends everything in order: readiness, HTTP, registry, database. It may
// be called again and before start.
func (s *site) stop() error {
	s.stopOnce.Do(func() { s.stopErr = s.cleanups.Run() })
	return s.stopErr
}

// loadAccounts reads the named file, or the default one, or takes the accounts
// the program is shipped with, which only a loopback listener accepts.
func loadAccounts(path string) (*auth.Accounts, error) {
	explicit := path != ""
	if !explicit {
		path = defaultAccounts
	}
	accounts, err := auth.LoadAccounts(path)
	if !explicit && errors.Is(err, fs.ErrNotExist) {
		return auth.ParseAccounts(conf.AuthProperties)
	}
	if err != nil {
		return nil, cli.Fail("The file holds root.username, root.password, guest.username and guest.password; conf/auth.properties in the repository is a sample.", "--auth %s: %w", path, err)
	}
	return accounts, nil
}

// makeDataFolder creates the folder and proves that it can be written.
func makeDataFolder(path string) error {
	hint := "The folder holds the SQLite database; name one that this user may write with --data."
	if err := os.MkdirAll(path, 0o700); err != nil {
		return cli.Fail(hint, "--data %s: %w", path, err)
	}
	probe, err := os.CreateTemp(path, ".probe-*")
	if err != nil {
		return cli.Fail(hint, "--data %s: %w", path, err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return cli.Fail(hint, "--data %s: %w", path, err)
	}
	return nil
}

// sqliteIn is the connection string of a database file in a data folder.
func sqliteIn(folder, name string) (string, error) {
	full, err := filepath.Abs(filepath.Join(folder, name))
	if err != nil {
		return "", fmt.Errorf("--data %s: %w", folder, err)
	}
	return "sqlite://" + filepath.ToSlash(full), nil
}

// newRegistry returns a registry for metrics, with the metrics of the process and the runtime.
func newRegistry() *prometheus.Registry {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return reg
}
