package rdb

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/database"
)

// LookAt makes the store look at fewer rows per query than [MaxLooked].
func (s *Store) LookAt(rows int) { s.looks = rows }

// CountLittle is [Count] that counts one missing bucket of each interval.
func CountLittle(ctx context.Context, opened *DB, now time.Time) (complete bool, err error) {
	db := database.Gorm(opened)
	return counter{db: db, form: shape{dialect: db.Name()}}.all(ctx, now)
}

// LookAgain makes the sink look for absent tables with the next batch.
func (s *Sink) LookAgain() {
	s.absence.mu.Lock()
	defer s.absence.mu.Unlock()
	for table, since := range s.absence.tables {
		since.next = time.Time{}
		s.absence.tables[table] = since
	}
}
