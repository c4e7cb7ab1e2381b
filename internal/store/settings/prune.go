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
	// Rows keeps that many records, the one of the pruning among them. What
	// strangers were refused goes first, then what guests were, then the oldest.
	Rows int
	// Strangers keeps that many records of what strangers were refused, the
	// newest: nobody can make the audit grow beyond it without an account.
	Strangers int
	// Batch is the number of records a statement deletes, which bounds how long an
	// order waits to be recorded. Defaults to 500.
	Batch int
	// Pause is the time between two statements. Defaults to 50 ms; -1 is none.
	Pause time.Duration
}

// PruneAction is the action of the record that a pruning leaves.
const PruneAction = "prune audit"

// Conditions on records. A stranger is somebody without a token, also while
// trying a password; a sign-in that succeeded is no stranger's.
const (
	ofStrangers = "user_name = '' AND outcome <> 'done'"
	ofGuests    = "user_role = 'guest' AND outcome <> 'done'"
	ofAll       = "1 = 1"
)

// PruneAudit deletes the records that are not to be kept, oldest first, in small
// statements with pauses between them, and leaves a record of it if there were
// any. now is what ages are counted from. Two consoles of one database may do so
// at once. When ctx ends the rest stays for the next time; the count is of what
// was deleted, also with an error.
func (s *Store) PruneAudit(ctx context.Context, keep AuditRetention, now time.Time) (deleted int, err error) {
	if keep.Age < 0 || keep.Rows < 0 || keep.Strangers < 0 {
		return 0, failed("prune the audit", fmt.Errorf("age %s, rows %d and strangers %d must not be negative", keep.Age, keep.Rows, keep.Strangers))
	}
	if keep.Batch < 1 {
		keep.Batch = pruneBatch
	}
	if keep.Pause == 0 {
		keep.Pause = prunePause
	}
	deleted, err = s.pruneAll(ctx, keep, now)
	if deleted == 0 {
		return 0, failed("prune the audit", err)
	}
	// What was deleted is on record even if ctx ended meanwhile.
	recordCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	detail := fmt.Sprintf("deleted=%d", deleted)
	if keep.Age > 0 {
		detail += " keep_age=" + keep.Age.String()
	}
	if keep.Rows > 0 {
		detail += fmt.Sprintf(" keep_rows=%d", keep.Rows)
	}
	if keep.Strangers > 0 {
		detail += fmt.Sprintf(" keep_strangers=%d", keep.Strangers)
	}
	_, recordErr := s.AddRecord(recordCtx, Record{At: now, Action: PruneAction, Outcome: "done", Detail: detail})
	return deleted, failed("prune the audit", errors.Join(err, recordErr))
}

// pruneAll deletes by each of the limits.
func (s *Store) pruneAll(ctx context.Context, keep AuditRetention, now time.Time) (deleted int, err error) {
	if keep.Age > 0 {
		n, err := s.prune(ctx, keep, "at_ms", "at_ms < ?", now.Add(-keep.Age).UnixMilli())
		if deleted += n; err != nil {
			return deleted, err
		}
	}
	if keep.Strangers > 0 {
		n, err := s.pruneBeyond(ctx, keep, keep.Strangers, ofStrangers)
		if deleted += n; err != nil {
			return deleted, err
		}
	}
	if keep.Rows > 0 {
		n, err := s.pruneBeyond(ctx, keep, keep.Rows, ofStrangers, ofGuests, ofAll)
		return deleted + n, err
	}
	return deleted, nil
}

// pruneBeyond deletes so that most records stay of those that the last condition
// is about: the oldest of the first condition, then of the next. What stays is
// counted from the newest on, so that two consoles who do so at once delete the
// same.
func (s *Store) pruneBeyond(ctx context.Context, keep AuditRetention, most int, conditions ...string) (deleted int, err error) {
	last := conditions[len(conditions)-1]
	have, err := s.count(ctx, last)
	if err != nil || have <= most {
		return 0, err
	}
	if last == ofAll {
		most-- // the record of the pruning is one, too
	}
	for _, condition := range conditions {
		left := most
		if condition != last {
			n, err := s.count(ctx, condition)
			if err != nil {
				return deleted, err
			}
			left = max(0, n-(have-deleted-most))
		}
		below, err := s.oldestKept(ctx, condition, left)
		if err != nil {
			return deleted, err
		}
		n, err := s.prune(ctx, keep, "id", condition+" AND id < ?", below)
		if deleted += n; err != nil || have-deleted <= most {
			return deleted, err
		}
	}
	return deleted, nil
}

func (s *Store) count(ctx context.Context, condition string) (int, error) {
	var n int64
	err := s.with(ctx).Model(&auditRow{}).Where(condition).Count(&n).Error
	return int(n), err
}

// oldestKept is the id of the oldest record that stays of those that meet a
// condition, if only so many do; 0 if there are not more.
func (s *Store) oldestKept(ctx context.Context, condition string, rows int) (int64, error) {
	var ids []int64
	err := s.with(ctx).Model(&auditRow{}).Where(condition).Order("id DESC").Offset(max(0, rows-1)).Limit(1).Pluck("id", &ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	if rows == 0 {
		return ids[0] + 1, nil
	}
	return ids[0], nil
}

// prune deletes records that meet a condition, in the order of a column.
func (s *Store) prune(ctx context.Context, keep AuditRetention, column, condition string, value int64) (deleted int, err error) {
	for {
		var ids []int64
		err := s.with(ctx).Model(&auditRow{}).Where(condition, value).Order(column).Limit(keep.Batch).Pluck("id", &ids).Error
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
