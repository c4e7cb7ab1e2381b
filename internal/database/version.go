package database

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ErrTooOld reports that the server's version is below the oldest with the SQL of the migrations.
var ErrTooOld = errors.New("database server too old")

// The oldest supported versions. MySQL has generated columns since 5.7, MariaDB
// indexes on them since 10.2.3, PostgreSQL the catalogue that is asked for
// indexes since 11. SQLite comes with the program.
var oldest = map[string]version{"MySQL": {5, 7, 0}, "MariaDB": {10, 2, 3}, "PostgreSQL": {11, 0, 0}, "SQLite": {3, 35, 0}}

// version is major, minor and patch.
type version [3]int

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

func (v version) before(w version) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}

var numbers = regexp.MustCompile(`^(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,6}))?`)

// productOf parses the version that a server reports. ok is false for a text without a number.
func productOf(dialect, text string) (product string, v version, ok bool) {
	product = map[string]string{MySQL: "MySQL", Postgres: "PostgreSQL", SQLite: "SQLite"}[dialect]
	if dialect == MySQL && strings.Contains(strings.ToLower(text), "mariadb") {
		product = "MariaDB"
		text = strings.TrimPrefix(text, "5.5.5-") // Put in front for the sake of old replicas.
	}
	match := numbers.FindStringSubmatch(strings.TrimSpace(text))
	if match == nil {
		return product, v, false
	}
	for i := range v {
		v[i], _ = strconv.Atoi(match[i+1]) // Digits, or nothing for 0.
	}
	return product, v, true
}

// checkVersion refuses a server that is too old, before any statement that
// would leave it half migrated.
func (d *Database) checkVersion(ctx context.Context) error {
	ask := map[string]string{MySQL: "SELECT VERSION()", Postgres: "SHOW server_version", SQLite: "SELECT sqlite_version()"}[d.Dialect]
	var text string
	if err := d.pool.QueryRowContext(ctx, ask).Scan(&text); err != nil {
		return fmt.Errorf("ask for the server's version: %w", err)
	}
	product, found, ok := productOf(d.Dialect, text)
	if !ok || !found.before(oldest[product]) {
		return nil
	}
	return &Error{
		Op: "migrate", Database: d.String(), Kind: ErrTooOld, Err: fmt.Errorf("it is %s %s (%s)", product, found, text),
		Hint: fmt.Sprintf("%s %s is the oldest that is supported; nothing was changed", product, oldest[product]),
	}
}
