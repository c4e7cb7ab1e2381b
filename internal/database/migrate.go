package database

import (
	"context"
	"errors"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/elasticjob-go/elasticjob/migrations"
)

// Migrate brings the schema up to date. It can be called by any number of
// processes at the same time, on an empty database, on an up-to-date one
// and with trace tables that a Java engine created; see the rules in
// package migrations. On a large table adding an index takes minutes, which
// only ctx bounds.
func (d *Database) Migrate(ctx context.Context) error {
	return d.migrateAll(ctx, migrations.For, migrations.Table)
}

// MigrateConsole does the same for the console's own tables.
func MigrateConsole(ctx context.Context, d *Database) error {
	return d.migrateAll(ctx, migrations.ForConsole, migrations.ConsoleTable)
}

func (d *Database) migrateAll(ctx context.Context, of func(dialect string) (fs.FS, error), table string) error {
	if err := d.checkVersion(ctx); err != nil {
		return explain(d.driver, "migrate", err)
	}
	// Two starters of one SQLite file can both decide to apply a migration.
	// Each is one transaction there, so the later one fails whole and sees on
	// its second try that nothing is left to do.
	tries := 1
	if d.Dialect == SQLite {
		tries = 3
	}
	var err error
	for range tries {
		if err = d.migrate(ctx, of, table); err == nil || ctx.Err() != nil {
			break
		}
	}
	return explain(d.driver, "migrate", err)
}

var gooseDialects = map[string]goose.Dialect{
	MySQL: goose.DialectMySQL, Postgres: goose.DialectPostgres, SQLite: goose.DialectSQLite3,
}

func (d *Database) migrate(ctx context.Context, of func(dialect string) (fs.FS, error), table string) (err error) {
	files, err := of(d.Dialect)
	if err != nil {
		return err
	}
	options := []goose.ProviderOption{
		goose.WithTableName(table),
		goose.WithDisableGlobalRegistry(true),
		goose.WithSlog(d.logger),
	}
	pool, lock, err := d.driver.Migrating(ctx, d.pool, d.logger)
	if err != nil {
		return err
	}
	if pool != d.pool {
		defer func() { err = errors.Join(err, pool.Close()) }()
	}
	if lock != nil {
		// The lock is held from here and not by goose, which looks at its table
		// before it takes one and fails on a table another starter has just made.
		conn, connErr := pool.Conn(ctx)
		if connErr != nil {
			return connErr
		}
		defer func() { err = errors.Join(err, conn.Close()) }()
		if err := lock.Lock(ctx, conn); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lock.Unlock(context.WithoutCancel(ctx), conn)) }()
	}
	provider, err := goose.NewProvider(gooseDialects[d.Dialect], pool, files, options...)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// Pending counts the migrations that have not been applied. It changes nothing.
func (d *Database) Pending(ctx context.Context) (int, error) {
	fail := func(err error) (int, error) { return 0, explain(d.driver, "check migrations of", err) }
	files, err := migrations.For(d.Dialect)
	if err != nil {
		return fail(err)
	}
	applied := make(map[int64]bool)
	if d.gorm.WithContext(ctx).Migrator().HasTable(migrations.Table) {
		var versions []int64
		err := d.gorm.WithContext(ctx).Raw("SELECT version_id FROM " + migrations.Table + " WHERE is_applied").Scan(&versions).Error
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
