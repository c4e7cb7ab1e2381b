package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// migrateCommand is `console migrate`.
type migrateCommand struct {
	Action  string `arg:"" enum:"up,status" default:"up" help:"up applies what is missing, status only tells (exit code 1 if something is missing)."`
	DSN     string `name:"dsn" placeholder:"DSN" help:"The trace database, as for serve. Default: console.db in the data folder."`
	DSNFile string `name:"dsn-file" placeholder:"FILE" help:"A file with the value of --dsn."`
	Data    string `default:"data" placeholder:"DIR" help:"The folder of the default database."`
}

// migrateLimit bounds a migration. Building an index on a large table takes
// minutes and must not be cut off lightly.
const migrateLimit = time.Hour

func (c *migrateCommand) Run(p *cli.Process) (err error) {
	dsn, err := databaseName("dsn", c.DSN, c.DSNFile, c.Data, "console.db")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(p.Ctx, migrateLimit)
	defer cancel()
	db, err := openDatabase(ctx, dsn, p.Log)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := db.Close(); err == nil {
			err = closeErr
		}
	}()
	pending, err := db.Pending(ctx)
	if err != nil {
		return databaseFailure(err)
	}
	switch {
	case pending == 0:
		fmt.Fprintf(p.Stdout, "%s: up to date\n", db)
		return printFindings(ctx, p.Stdout, db)
	case c.Action == "status":
		return cli.Fail("Run `console migrate up`; `console serve` does it when it starts.", "%s: %d migrations are missing", db, pending)
	}
	if err := db.Migrate(ctx); err != nil {
		return databaseFailure(err)
	}
	fmt.Fprintf(p.Stdout, "%s: %d migrations applied\n", db, pending)
	return printFindings(ctx, p.Stdout, db)
}

// printFindings prints the faults of the tables, and the SQL that fixes them.
func printFindings(ctx context.Context, w io.Writer, db *store.DB) error {
	findings, err := rdb.Findings(ctx, db.Database)
	for _, f := range findings {
		fmt.Fprintln(w, f)
	}
	if err != nil {
		return databaseFailure(err)
	}
	return nil
}

// databaseFailure adds to an error of the database, which names the value and
// the remedy, where the value came from.
func databaseFailure(err error) error {
	return cli.Fail("The database is the value of --dsn or --dsn-file, else a SQLite file in the --data folder.", "%w", err)
}
