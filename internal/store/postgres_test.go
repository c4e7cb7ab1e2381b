//go:build servers

package store_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

func TestOpenPostgresForms(t *testing.T) {
	began := time.Now().Truncate(time.Microsecond)
	server := storetest.StartPostgres(t)
	name := server.NewDatabase(t)
	for _, dsn := range []string{
		server.DSN(name),
		server.DSN(name) + "?timezone=Asia/Shanghai&sslmode=disable&connect_timeout=3",
		strings.Replace(server.DSN(name), "postgres://", "postgresql://", 1),
		"POSTGRES" + strings.TrimPrefix(server.DSN(name), "postgres") + "?application_name=mine",
	} {
		db, err := open(t, dsn)
		if err != nil {
			t.Fatal(err)
		}
		var zone, program string
		var now time.Time
		err = db.Raw("SELECT current_setting('TimeZone'), current_setting('application_name'), LOCALTIMESTAMP").Row().Scan(&zone, &program, &now)
		if err != nil {
			t.Fatal(err)
		}
		if zone != "UTC" || program != "elasticjob" && program != "mine" || now.Before(began) || now.After(time.Now()) {
			t.Errorf("zone %s, program %s, now %s", zone, program, now)
		}
		if strings.Contains(db.String(), "s3cret") {
			t.Error(db.String())
		}
	}
}

func TestOpenPostgresFailures(t *testing.T) {
	server := storetest.StartPostgres(t)
	name := server.NewDatabase(t)

	_, err := open(t, "postgres://nobody:hunter2@"+server.Addr+"/"+name)
	check(t, err, store.ErrAccessDenied, "nobody", server.Addr)

	_, err = open(t, server.DSN("nowhere"))
	check(t, err, store.ErrDatabaseMissing, `CREATE DATABASE "nowhere"`)

	_, err = open(t, server.DSN(name)+"?nonsense=1")
	check(t, err, store.ErrBadDSN, "parameters")

	_, err = open(t, server.DSN(name)+"?sslmode=require")
	check(t, err, store.ErrUnreachable, "sslmode")

	poor := "poor_" + name // roles are the whole server's
	server.Exec(t, "", "CREATE ROLE "+poor+" LOGIN PASSWORD 'hunter2'")
	t.Cleanup(func() { server.Exec(t, name, "DROP OWNED BY "+poor); server.Exec(t, "", "DROP ROLE "+poor) })
	server.Exec(t, "", "REVOKE CONNECT ON DATABASE "+name+" FROM PUBLIC")
	_, err = open(t, "postgres://"+poor+":hunter2@"+server.Addr+"/"+name)
	check(t, err, store.ErrAccessDenied, `GRANT CONNECT, CREATE ON DATABASE "`+name+`" TO "`+poor+`"`)

	server.Exec(t, "", "GRANT CONNECT ON DATABASE "+name+" TO "+poor)
	db, err := open(t, "postgres://"+poor+":hunter2@"+server.Addr+"/"+name)
	if err != nil {
		t.Fatal(err)
	}
	check(t, db.Migrate(t.Context()), store.ErrAccessDenied, "GRANT USAGE, CREATE ON SCHEMA public")

	server.Exec(t, name, "ALTER ROLE "+poor+" SET default_transaction_read_only = on; GRANT CREATE ON SCHEMA public TO "+poor)
	db, err = open(t, "postgres://"+poor+":hunter2@"+server.Addr+"/"+name)
	if err != nil {
		t.Fatal(err)
	}
	check(t, db.Migrate(t.Context()), store.ErrReadOnly, "primary")

	// Nobody listens.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = open(t, "postgres://u:hunter2@"+addr+"/x")
	check(t, err, store.ErrUnreachable, addr)
}

func TestPingOfLostPostgres(t *testing.T) {
	server := storetest.NewPostgres(t)
	db, err := open(t, server.DSN(server.NewDatabase(t)))
	if err != nil {
		t.Fatal(err)
	}
	server.Kill()
	check(t, db.Ping(t.Context()), store.ErrUnreachable, "ping", server.Addr)
	server.Restart(t)
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
}
