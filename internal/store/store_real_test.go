//go:build servers

package store_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

func TestOpenMySQLForms(t *testing.T) {
	began := time.Now().Truncate(time.Second) // A server's time has no more.
	server := storetest.StartMariaDB(t)
	name := server.NewDatabase(t)
	for _, dsn := range []string{
		server.DSN(name),
		server.DSN(name) + "?parseTime=false&loc=Local&time_zone=%27%2B08:00%27&readTimeout=3s",
		storetest.User + ":" + storetest.Password + "@tcp(" + server.Addr + ")/" + name,
	} {
		db, err := open(t, dsn)
		if err != nil {
			t.Fatal(err)
		}
		var zone, client string
		var now time.Time
		if err := db.Raw("SELECT @@time_zone, @@character_set_client, UTC_TIMESTAMP()").Row().Scan(&zone, &client, &now); err != nil {
			t.Fatal(err)
		}
		if zone != "+00:00" || client != "utf8mb4" || now.Location() != time.UTC || now.Before(began) || now.After(time.Now()) {
			t.Errorf("zone %s, character set %s, now %s", zone, client, now)
		}
		if strings.Contains(db.String(), storetest.Password) {
			t.Error(db.String())
		}
	}
}

func TestOpenMySQLFailures(t *testing.T) {
	server := storetest.StartMariaDB(t)
	name := server.NewDatabase(t)

	_, err := open(t, "mysql://nobody:hunter2@"+server.Addr+"/"+name)
	check(t, err, store.ErrAccessDenied, "nobody", server.Addr)

	_, err = open(t, server.DSN("nowhere"))
	check(t, err, store.ErrDatabaseMissing, "CREATE DATABASE `nowhere`")

	poor := "poor_" + name // accounts are the whole server's
	server.Exec(t, "", "CREATE USER '"+poor+"'@'%' IDENTIFIED BY 'hunter2'")
	t.Cleanup(func() { server.Exec(t, "", "DROP USER '"+poor+"'@'%'") })
	_, err = open(t, "mysql://"+poor+":hunter2@"+server.Addr+"/"+name)
	check(t, err, store.ErrAccessDenied, "GRANT ALL ON `"+name+"`.* TO '"+poor+"'")

	server.Exec(t, "", "GRANT SELECT ON "+name+".* TO '"+poor+"'@'%'")
	db, err := open(t, "mysql://"+poor+":hunter2@"+server.Addr+"/"+name)
	if err != nil {
		t.Fatal(err)
	}
	check(t, db.Migrate(t.Context()), store.ErrAccessDenied, "GRANT SELECT, INSERT")

	// Nobody listens.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = open(t, "mysql://u:hunter2@"+addr+"/x")
	check(t, err, store.ErrUnreachable, addr)
}

func TestMySQLReadOnlyServer(t *testing.T) {
	server := storetest.NewMariaDB(t)
	name := server.NewDatabase(t)
	server.Exec(t, "", "CREATE USER 'app'@'%' IDENTIFIED BY 'hunter2'; GRANT ALL ON "+name+".* TO 'app'@'%'; SET GLOBAL read_only = 1")
	db, err := open(t, "mysql://app:hunter2@"+server.Addr+"/"+name)
	if err != nil {
		t.Fatal(err)
	}
	check(t, db.Migrate(t.Context()), store.ErrReadOnly, "primary")
}

func TestPingOfLostServer(t *testing.T) {
	server := storetest.NewMariaDB(t)
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
	server.Pause(t)
	defer server.Resume(t)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	check(t, db.Ping(ctx), store.ErrUnreachable)
}
