package storetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Postgres is a running PostgreSQL server.
type Postgres struct{ server }

var postgreSQL = product{
	name: "PostgreSQL", driver: "pgx", create: "CREATE DATABASE ", crash: "QUIT",
	dsn: func(addr, database string) string {
		if database == "" {
			database = "postgres"
		}
		return postgresDSN(addr, database)
	},
}

// findPostgres looks where Debian keeps the programs of each version, which
// are on nobody's path, newest version first.
func findPostgres(program string) (string, error) {
	installed, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + program)
	if err != nil {
		return "", err
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0 if it is no number
		return n
	}
	if len(installed) > 0 {
		return slices.MaxFunc(installed, func(a, b string) int { return version(a) - version(b) }), nil
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("%s is needed by this test: run make test-all, which installs it on Debian, or apt-get install postgresql; make test works without it", program)
	}
	return path, nil
}

// nobody is the account for a server that refuses to run as root; nil unless
// the tests do.
func nobody() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root: %w", err)
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// LaunchPostgres starts a server for a program that is no test. The caller ends it.
func LaunchPostgres() (*Postgres, error) {
	program, err := findPostgres("postgres")
	if err != nil {
		return nil, err
	}
	install, err := findPostgres("initdb")
	if err != nil {
		return nil, err
	}
	account, err := nobody()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "ej-postgres-")
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*Postgres, error) { return nil, errors.Join(err, os.RemoveAll(dir)) }

	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte(Password+"\n"), 0o600); err != nil {
		return fail(err)
	}
	if account != nil {
		for _, path := range []string{dir, secret} {
			if err := os.Chown(path, int(account.Uid), int(account.Gid)); err != nil {
				return fail(err)
			}
		}
	}
	data := filepath.Join(dir, "data")
	initdb := exec.Command(install, "--pgdata="+data, "--username="+User, "--pwfile="+secret, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
	initdb.Dir = dir
	if account != nil {
		initdb.SysProcAttr = &syscall.SysProcAttr{Credential: account}
	}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fail(fmt.Errorf("initdb: %w\n%s", err, out))
	}
	p := &Postgres{server{product: postgreSQL, dir: dir, program: program, account: account}}
	err = p.tryPorts(func(port string) []string {
		args := []string{"-D", data, "-p", port}
		for _, setting := range []string{
			"listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300",
			"shared_buffers=32MB", "jit=off", "max_wal_size=256MB",
			// A killed process loses nothing by these, only a lost machine would. It
			// would lose what synchronous_commit=off leaves in memory.
			"fsync=off", "full_page_writes=off",
		} {
			args = append(args, "-c", setting)
		}
		return args
	})
	if err != nil {
		return fail(err)
	}
	return p, nil
}

func postgresDSN(addr, database string) string {
	return fmt.Sprintf("postgres://%s:%s@%s/%s", User, strings.ReplaceAll(Password, "@", "%40"), addr, database)
}

// DSN names a database of the server in the form [store.Open] takes.
func (p *Postgres) DSN(database string) string { return postgresDSN(p.Addr, database) }
