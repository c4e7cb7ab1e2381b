package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"
	"time"

	gosqlite "github.com/glebarez/go-sqlite"
)

// SQLite waits for a locked file inside the library, where no context reaches
// it. So it waits for a moment only there, and the rest here: as long as the
// caller's context lasts, and lockPatience at most.
const (
	// lockPatience is as long as the recorder gives a batch before it tries
	// again. Writers that wait are not queued, so one may be passed over for a
	// while.
	lockPatience = 15 * time.Second
	// lockPause bounds how much longer than its context a caller waits.
	lockPause = 100 * time.Millisecond
)

// patientConnector opens connections to one file.
type patientConnector struct {
	driver driver.Driver
	dsn    string
}

func (c patientConnector) Driver() driver.Driver { return c.driver }

func (c patientConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := patiently(ctx, func() (driver.Conn, error) { return c.driver.Open(c.dsn) })
	if err != nil {
		return nil, err
	}
	whole, ok := conn.(sqliteConn)
	if !ok {
		return nil, errors.Join(errors.New("the SQLite driver lacks what this program needs"), conn.Close())
	}
	return patientConn{whole}, nil
}

// sqliteConn has the methods of the driver's connections that we use.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
}

// patientConn tries what finds the file locked again. A statement that was
// refused so has changed nothing.
type patientConn struct{ sqliteConn }

func (c patientConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	return patiently(ctx, func() (driver.Tx, error) { return c.sqliteConn.BeginTx(ctx, opts) })
}

func (c patientConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return patiently(ctx, func() (driver.Result, error) {
		result, err := c.sqliteConn.ExecContext(ctx, query, args)
		if ctx.Err() != nil {
			// The driver reports success when it has not begun because the context
			// had ended: the row may have been written or not.
			return nil, errors.Join(ctx.Err(), err)
		}
		return result, err
	})
}

func (c patientConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return patiently(ctx, func() (driver.Rows, error) { return c.sqliteConn.QueryContext(ctx, query, args) })
}

// closing lets one connection of this process close at a time: whichever is the last of a file
// tidies it up, which needs the file for itself. Two that try that at one moment would refuse it
// to each other, and the journal would be left next to the file.
var closing sync.Mutex

// Close closes the connection. The library keeps in mind that a statement was interrupted until
// the next one begins, and the last connection that is closed would then interrupt its own
// tidying up.
func (c patientConn) Close() error {
	closing.Lock()
	defer closing.Unlock()
	_, _ = c.sqliteConn.ExecContext(context.Background(), "SELECT 1", nil) // An error changes nothing.
	return c.sqliteConn.Close()
}

func patiently[T any](ctx context.Context, try func() (T, error)) (T, error) {
	for began := time.Now(); ; {
		value, err := try()
		if !isBusy(err) || time.Since(began) >= lockPatience {
			return value, err
		}
		pause := time.NewTimer(lockPause / 10)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return value, errors.Join(context.Cause(ctx), err)
		}
	}
}

func isBusy(err error) bool {
	busy, ok := errors.AsType[*gosqlite.Error](err)
	return ok && busy.Code()&0xFF == 5
}
