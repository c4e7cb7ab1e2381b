// Package sqlite has the driver of SQLite for package rdb.
//
//	sqlite.DSN("…") ──▶ rdb.Source ──▶ rdb.NewRecorder   an agent's history
//	                             └─▶ rdb.Open          to read it
//
// A program links only the drivers of the database packages that it imports.
package sqlite

import (
	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/database/sqlite"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// DSN returns the database with a data source name in one of these forms:
//
//	/path/file.db, sqlite:///path/file.db   the folder is created; ?mode=ro to only read
//	:memory:                                a database that ends with Close, one connection
//
// DSN doesn't connect. The first use of the source reports an invalid name.
func DSN(dsn string) rdb.Source { return database.NewSource(sqlite.Parse(dsn)) }
