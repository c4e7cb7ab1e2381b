package database

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// slowQuery is when a statement is worth a line in the log.
const slowQuery = 2 * time.Second

// queryLog lets GORM log slow statements and nothing else: errors are returned
// to the caller, who handles them, and must not appear twice.
type queryLog struct{ logger *slog.Logger }

var _ gorm.ParamsFilter = queryLog{}

func (q queryLog) LogMode(logger.LogLevel) logger.Interface     { return q }
func (q queryLog) Info(context.Context, string, ...any)         {}
func (q queryLog) Warn(ctx context.Context, m string, a ...any) { q.note(ctx, m, a) }
func (q queryLog) Error(ctx context.Context, m string, a ...any) {
	q.note(ctx, m, a)
}

func (q queryLog) note(ctx context.Context, message string, args []any) {
	q.logger.DebugContext(ctx, "gorm", slog.String("message", fmt.Sprintf(message, args...)))
}

// ParamsFilter keeps parameters, which are people's data, out of the log.
func (q queryLog) ParamsFilter(_ context.Context, sql string, _ ...any) (string, []any) {
	return sql, nil
}

func (q queryLog) Trace(ctx context.Context, begin time.Time, statement func() (string, int64), _ error) {
	took := time.Since(begin)
	if took < slowQuery {
		return
	}
	sql, rows := statement()
	const enough = 500
	if len(sql) > enough {
		sql = sql[:enough] + "…"
	}
	q.logger.WarnContext(ctx, "slow database statement",
		slog.String("sql", sql), slog.Int64("rows", rows), slog.Duration("took", took))
}
