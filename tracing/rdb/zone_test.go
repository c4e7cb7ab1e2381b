//go:build servers

package rdb_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	gormmysql "gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// V09: a database that was opened from outside, in whatever zone: either the
// instant that is written is the one in the table and the one that is read, or
// nothing is written and the error says how to open it.
func TestV09ZonesOfTheConnection(t *testing.T) {
	t.Parallel()
	server := storetest.StartMariaDB(t)
	name := server.NewDatabase(t)
	own, err := store.Open(t.Context(), server.DSN(name), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if err := own.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	account := storetest.User + ":" + storetest.Password + "@tcp(" + server.Addr + ")/" + name + "?"
	at := time.Date(2024, 3, 4, 5, 6, 7, 89e6, time.UTC)
	for i, tc := range []struct {
		loc, zone string // of the driver and of the session
		right     bool
	}{
		{"UTC", "+00:00", true},
		{"", "+00:00", true}, // the driver's default is UTC
		{"Asia/Shanghai", "+00:00", false},
		{"America/New_York", "+00:00", false},
		{"UTC", "+08:00", false},
		{"Asia/Shanghai", "+08:00", true},
		{"Europe/Berlin", "+01:00", false}, // right in winter only
	} {
		for _, parse := range []string{"True", "False"} {
			dsn := account + "charset=utf8mb4&parseTime=" + parse + "&time_zone=" + url.QueryEscape("'"+tc.zone+"'")
			if tc.loc != "" {
				dsn += "&loc=" + url.QueryEscape(tc.loc)
			}
			db, err := gorm.Open(gormmysql.Open(dsn), &gorm.Config{Logger: logger.Discard})
			if err != nil {
				t.Fatal(err)
			}
			// Unparsed times are read as UTC, so the session's zone must be that.
			right := tc.right && (parse == "True" || tc.zone == "+00:00")
			id := "zone-" + parse + string(rune('a'+i))
			e := tracing.Execution{ID: id, JobName: "zones", TaskID: "t", Hostname: "h", IP: "10.0.0.1", Source: tracing.SourceNormal, StartTime: at, CompleteTime: at.Add(time.Second), Success: true}
			err = rdb.NewSink(database.With(own.Database, db)).Write(t.Context(), []tracing.Event{{Execution: &e}})
			_, readErr := rdb.NewStore(database.With(own.Database, db)).Execution(t.Context(), id)
			stored, storedErr := rdb.NewStore(own.Database).Execution(t.Context(), id)
			switch {
			case right && (err != nil || readErr != nil || storedErr != nil || !stored.StartTime.Equal(at)):
				t.Errorf("%s: %v, %v, stored %v %v", dsn, err, readErr, stored.StartTime, storedErr)
			case !right && (!errors.Is(err, rdb.ErrTimeZone) || !strings.Contains(err.Error(), "loc=UTC&time_zone=")):
				t.Errorf("%s: written with %v", dsn, err)
			case !right && (!errors.Is(readErr, rdb.ErrTimeZone) || !errors.Is(storedErr, rdb.ErrNotFound)):
				t.Errorf("%s: read with %v; stored: %v", dsn, readErr, storedErr)
			}
			if right {
				if read, err := rdb.NewStore(database.With(own.Database, db)).Execution(t.Context(), id); err != nil || !read.StartTime.Equal(at) {
					t.Errorf("%s: reads %v, %v", dsn, read.StartTime, err)
				}
			}
			if pool, err := db.DB(); err != nil || pool.Close() != nil {
				t.Error(err)
			}
		}
	}
}
