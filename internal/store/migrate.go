package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/elasticjob-go/elasticjob/migrations"
)

// lockWait bounds how long a starter waits for another that is migrating.
const lockWait = 5 * time.Minute

// Migrate brings the schema up to date. It can be called by any number of
// processes at the same time, on an empty database, on one that is up to date
// and on one whose trace tables a Java engine created; see the rules in
// package migrations. On a large table adding an index takes minutes, which
// only ctx bounds.
func (d *DB) Migrate(ctx context.Context) error {
	return d.migrateAll(ctx, migrations.For, migrations.Table)
}

// MigrateConsole does the same for the console's own tables.
func (d *DB) MigrateConsole(ctx context.Context) error {
	return d.migrateAll(ctx, migrations.ForConsole, migrations.ConsoleTable)
}

func (d *DB) migrateAll(ctx context.Context, of func(dialect string) (fs.FS, error), table string) error {
	if err := d.checkVersion(ctx); err != nil {
		return d.target.explain("migrate", err)
	}
	// Two starters of one SQLite file can both decide to apply a migration.
	// Each is one transaction there, so the later one fails whole and sees on
	// its second try that nothing is left to do.
	tries := 1
	var err error
	if d.Dialect == SQLite {
		tries = 3
		if err := touch(ctx, d.pool, false); err != nil {
			return d.target.explain("migrate", err)
		}
	}
	for range tries {
		if err = d.migrate(ctx, of, table); err == nil || ctx.Err() != nil {
			break
		}
	}
	return d.target.explain("migrate", err)
}

func (d *DB) migrate(ctx context.Context, of func(dialect string) (fs.FS, error), table string) (err error) {
	files, err := of(d.Dialect)
	if err != nil {
		return err
	}
	options := []goose.ProviderOption{
		goose.WithTableName(table),
		goose.WithDisableGlobalRegistry(true),
		goose.WithSlog(d.logger),
	}
	pool, dialect := d.pool, goose.DialectSQLite3
	var lock migrationLock
	switch d.Dialect {
	case MySQL:
		// A connection of its own: the usual deadline of a read would cut off
		// the building of an index.
		cfg := d.target.mysql.Clone()
		cfg.ReadTimeout, cfg.WriteTimeout = 0, 0
		if pool, err = mysqlPool(cfg, d.logger); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, pool.Close()) }()
		dialect, lock = goose.DialectMySQL, namedLock{}
	case Postgres:
		// For the sake of the lock: closing the connection gives it back.
		pool = postgresPool(d.target)
		defer func() { err = errors.Join(err, pool.Close()) }()
		dialect, lock = goose.DialectPostgres, advisoryLock{}
	}
	if lock != nil {
		// The lock is held from here and not by goose, which looks at its table
		// before it takes one and fails on a table another starter has just made.
		conn, connErr := pool.Conn(ctx)
		if connErr != nil {
			return connErr
		}
		defer func() { err = errors.Join(err, conn.Close()) }()
		if err := lock.lock(ctx, conn); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lock.unlock(context.WithoutCancel(ctx), conn)) }()
	}
	provider, err := goose.NewProvider(dialect, pool, files, options...)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// Pending tells how many migrations have not been applied. It changes nothing.
func (d *DB) Pending(ctx context.Context) (int, error) {
	fail := func(err error) (int, error) { return 0, d.target.explain("check migrations of", err) }
	files, err := migrations.For(d.Dialect)
	if err != nil {
		return fail(err)
	}
	applied := make(map[int64]bool)
	if d.WithContext(ctx).Migrator().HasTable(migrations.Table) {
		var versions []int64
		err := d.WithContext(ctx).Raw("SELECT version_id FROM " + migrations.Table + " WHERE is_applied").Scan(&versions).Error
		if err != nil {
			return fail(err)
		}
		for _, version := range versions {
			applied[version] = true
		}
	}
	versions, err := migrations.Versions(files)
	if err != nil {
		return fail(err)
	}
	pending := 0
	for _, version := range versions {
		if !applied[version] {
			pending++
		}
	}
	return pending, nil
}

// migrationLock lets one process at a time migrate a database of a server.
type migrationLock interface {
	lock(ctx context.Context, conn *sql.Conn) error
	unlock(ctx context.Context, conn *sql.Conn) error
}

// namedLock is MySQL's advisory lock around a run of migrations. The server
// gives it back when the connection ends, so a crash leaves nothing behind.
type namedLock struct{}

// The name is distinct per database: locks of that kind belong to the server.
const lockName = "CONCAT('elasticjob_migrate_', MD5(DATABASE()))"

func (namedLock) lock(ctx context.Context, conn *sql.Conn) error {
	var got sql.NullInt64
	err := conn.QueryRowContext(ctx, "SELECT GET_LOCK("+lockName+", ?)", int(lockWait.Seconds())).Scan(&got)
	if err != nil {
		return fmt.Errorf("lock migrations: %w", err)
	}
	if got.Int64 != 1 {
		return fmt.Errorf("lock migrations: another process has been migrating this database for %s; "+
			"wait for it or end it, SHOW PROCESSLIST names it", lockWait)
	}
	return nil
}

func (namedLock) unlock(ctx context.Context, conn *sql.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	var released sql.NullInt64
	if err := conn.QueryRowContext(ctx, "SELECT RELEASE_LOCK("+lockName+")").Scan(&released); err != nil {
		return fmt.Errorf("unlock migrations: %w", err)
	}
	return nil
}
