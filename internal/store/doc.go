// Package store opens the databases of the console and of `elasticjob agent`, with any of the drivers
// of package database: by a data source name, by the fields of a form, or by a JDBC address.
//
//	"sqlite:///var/lib/ej.db"   ─┐
//	"mysql://u:p@db:3306/ej"    ─┼─▶ Open ─▶ DB: database.Database and its handle of GORM
//	"postgres://u:p@db:5432/ej" ─┘
//
// No password appears in an error or a log line of this package.
package store
