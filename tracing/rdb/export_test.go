package rdb

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/database"
)

// LookAt replaces [MaxLooked] in the store.
func (s *Store) LookAt(rows int) { s.looks = rows }

// CountLittle is [Count], but counts only one missing bucket of each interval.
func CountLittle(ctx context.Context, opened *DB, now time.Time) (complete bool, err error) {
	db := database.Gorm(opened)
	return counter{db: db, form: shape{dialect: db.Name()}}.all(ctx, now)
}

// LookAgain makes the sink try missing tables with the next batch.
func (s *Sink) LookAgain() {
	s.absence.mu.Lock()
	defer s.absence.mu.Unlock()
	for table, since := range s.absence.tables {
		since.next = time.Time{}
		s.absence.tables[table] = since
	}
}
