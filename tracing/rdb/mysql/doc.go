// Package mysql has the driver of MySQL and MariaDB for package rdb.
//
//	mysql.DSN("…") ──▶ rdb.Source ──▶ rdb.NewRecorder   an agent's history
//	                             └─▶ rdb.Open          to read it
//
// A program links only the drivers of the database packages that it imports.
package mysql

import (
	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/database/mysql"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// DSN returns the database with a data source name in one of these forms:
//
//	mysql://user:password@host:3306/name    percent-encode the password
//	user:password@tcp(host:3306)/name       the form of the driver
//
// Parameters after a "?" belong to the driver github.com/go-sql-driver/mysql; parseTime is always true, and
// loc and time_zone are always UTC. DSN doesn't connect. The first use of the source reports an invalid name.
func DSN(dsn string) rdb.Source { return database.NewSource(mysql.Parse(dsn)) }
