package settings

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// Errors to match with errors.Is; any other is the database's.
var (
	// ErrInvalidCursor: a cursor that no page was given with.
	ErrInvalidCursor = errors.New("invalid cursor")
	// ErrNotFound: there is nothing of that name.
	ErrNotFound = errors.New("not found")
	// ErrExists: there is something of that name already.
	ErrExists = errors.New("exists already")
	// ErrWrongKey: a secret was encrypted with another key, or was altered.
	ErrWrongKey = errors.New("a stored secret cannot be decrypted with this key")
)

// Store is the console's memory. It is safe for concurrent use.
type Store struct {
	db  *store.DB
	key Key
}

// New returns the store in a database whose tables are up to date, see
// [store.DB.MigrateConsole]. Secrets are encrypted with key.
func New(db *store.DB, key Key) *Store { return &Store{db: db, key: key} }

// Ping checks that the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.Ping(ctx) }

func (s *Store) with(ctx context.Context) *gorm.DB { return s.db.WithContext(ctx) }

func failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("settings: %s: %w", doing, err)
}

// storable is a text as every database takes it, of at most n characters.
func storable(text string, n int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "�"), "\x00", "�")
	count := 0
	for i := range text {
		if count++; count > n {
			return text[:i]
		}
	}
	return text
}
