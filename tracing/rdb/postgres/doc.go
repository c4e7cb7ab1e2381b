// Package postgres has the driver of PostgreSQL for package rdb.
//
//	postgres.DSN("…") ──▶ rdb.Source ──▶ rdb.NewRecorder   an agent's history
//	                             └─▶ rdb.Open          to read it
//
// A program links only the drivers of the database packages that it imports.
package postgres

import (
	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/database/postgres"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// DSN returns the database with a data source name in this form:
//
//	postgres://user:password@host:5432/name percent-encode the password
//
// Parameters after a "?" belong to the driver github.com/jackc/pgx; the timezone is always UTC. DSN
// doesn't connect. The first use of the source reports an invalid name.
func DSN(dsn string) rdb.Source { return database.NewSource(postgres.Parse(dsn)) }
