package settings

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Defaults of an [AuditRetention].
const (
	pruneBatch = 500
	prunePause = 50 * time.Millisecond
)

// AuditRetention says what part of the audit is kept. Zero fields keep
// everything.
type AuditRetention struct {
	// Age keeps what was recorded less than this long ago.
	Age time.Duration
	// Rows keeps that many records, the newest, the one of the pruning among them.
	Rows int
	// Batch is the number of records a statement deletes, which bounds how long an
	// order waits to be recorded. Defaults to 500.
	Batch int
	// Pause is the time between two statements. Defaults to 50 ms; -1 is none.
	Pause time.Duration
}

// PruneAction is the action of the record that a pruning leaves.
const PruneAction = "prune audit"

// PruneAudit deletes the records that are not to be kept, oldest first, in small
// statements with pauses between them, and leaves a record of it if there were
// any. now is what ages are counted from. Two consoles of one database may do so
// at once. When ctx ends the rest stays for the next time; the count is of what
// is gone, also with an error.
func (s *Store) PruneAudit(ctx context.Context, keep AuditRetention, now time.Time) (deleted int, err error) {
	if keep.Age < 0 || keep.Rows < 0 {
		return 0, failed("prune the audit", fmt.Errorf("age %s and rows %d must not be negative", keep.Age, keep.Rows))
	}
	if keep.Batch < 1 {
		keep.Batch = pruneBatch
	}
	if keep.Pause == 0 {
		keep.Pause = prunePause
	}
	limits := make([]pruneLimit, 0, 2)
	if keep.Age > 0 {
		limits = append(limits, pruneLimit{"at_ms", now.Add(-keep.Age).UnixMilli()})
	}
	if keep.Rows > 0 {
		first, err := s.firstKept(ctx, keep.Rows)
		if err != nil {
			return 0, failed("prune the audit", err)
		}
		limits = append(limits, pruneLimit{"id", first})
	}
	for _, limit := range limits {
		n, pruneErr := s.prune(ctx, limit, keep)
		deleted += n
		if err = pruneErr; err != nil {
			break
		}
	}
	if deleted == 0 {
		return 0, failed("prune the audit", err)
	}
	// What is gone is on record even if ctx ended meanwhile.
	recordCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	detail := fmt.Sprintf("deleted=%d", deleted)
	if keep.Age > 0 {
		detail += " keep_age=" + keep.Age.String()
	}
	if keep.Rows > 0 {
		detail += fmt.Sprintf(" keep_rows=%d", keep.Rows)
	}
	recordErr := s.AddRecord(recordCtx, Record{At: now, Action: PruneAction, Outcome: "done", Detail: detail})
	return deleted, failed("prune the audit", errors.Join(err, recordErr))
}

// pruneLimit: records whose column is below it go.
type pruneLimit struct {
	column string
	below  int64
}

// firstKept is the id of the oldest record that stays if only so many do, one of
// them that of the pruning itself; 0 if there are not more.
func (s *Store) firstKept(ctx context.Context, rows int) (int64, error) {
	at := func(offset int) (int64, error) {
		var ids []int64
		err := s.with(ctx).Model(&auditRow{}).Order("id DESC").Offset(offset).Limit(1).Pluck("id", &ids).Error
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		return ids[0], nil
	}
	beyond, err := at(rows)
	if err != nil || beyond == 0 {
		return 0, err
	}
	if rows == 1 {
		newest, err := at(0)
		return newest + 1, err
	}
	return at(rows - 2)
}

func (s *Store) prune(ctx context.Context, limit pruneLimit, keep AuditRetention) (deleted int, err error) {
	for {
		var ids []int64
		err := s.with(ctx).Model(&auditRow{}).Where(limit.column+" < ?", limit.below).Order(limit.column).Limit(keep.Batch).Pluck("id", &ids).Error
		if err != nil || len(ids) == 0 {
			return deleted, err
		}
		result := s.with(ctx).Where("id IN ?", ids).Delete(&auditRow{})
		deleted += int(result.RowsAffected)
		if result.Error != nil || len(ids) < keep.Batch {
			return deleted, result.Error
		}
		if keep.Pause < 0 {
			continue
		}
		timer := time.NewTimer(keep.Pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return deleted, context.Cause(ctx)
		}
	}
}
