// Package mysql has the driver of MySQL and MariaDB for package rdb.
//
//	mysql.DSN("…") ──▶ rdb.Source ──▶ rdb.NewRecorder   an agent's history
//	                             └─▶ rdb.Open          to read it
//
// A program links the drivers of the databases that it imports such a package for, and no others.
package mysql

import (
	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/database/mysql"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// DSN returns the database with a data source name. Its forms are
//
//	mysql://user:password@host:3306/name    percent-encode the password
//	user:password@tcp(host:3306)/name       the form of the driver
//
// Parameters after a "?" belong to the driver github.com/go-sql-driver/mysql; parseTime, loc and
// time_zone are always true, UTC and UTC.
//
// It connects to nothing. The first use of the source reports a fault of the name.
func DSN(dsn string) rdb.Source { return database.NewSource(mysql.Parse(dsn)) }
