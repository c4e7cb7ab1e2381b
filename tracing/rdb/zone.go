package rdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// ErrTimeZone says that a connection to MySQL was opened in a way that would
// store times off by hours, or read them so: the driver writes them in the zone
// of its parameter loc, the server takes them to be in that of the session.
var ErrTimeZone = errors.New("times would be stored in the wrong zone")

// zoneRemedy is what a data source name must have.
const zoneRemedy = "open the database with parseTime=true&loc=UTC&time_zone=%27%2B00%3A00%27 in its data source name"

// summer and winter are instants between which clocks are changed, on either
// half of the earth.
var (
	winter = time.Date(2024, 1, 15, 0, 0, 0, 0, time.UTC)
	summer = time.Date(2024, 7, 15, 0, 0, 0, 0, time.UTC)
)

// checkZone asks the server what becomes of times on their way there and back.
// That they arrive is not enough: in a zone whose clock is changed an hour of
// the year stands for two.
func checkZone(ctx context.Context, db *gorm.DB) error {
	var offsets [2]time.Duration
	for i, at := range []time.Time{winter, summer} {
		var stored float64
		var text string
		var back moment
		row := db.WithContext(ctx).Raw("SELECT UNIX_TIMESTAMP(?), CAST(FROM_UNIXTIME(?) AS CHAR), FROM_UNIXTIME(?)", at, at.Unix(), at.Unix()).Row()
		if err := row.Scan(&stored, &text, &back); err != nil {
			return fmt.Errorf("ask for the zone of times: %w", err)
		}
		if off := time.Duration(stored)*time.Second - time.Duration(at.Unix())*time.Second; off != 0 {
			return fmt.Errorf("%w: the connection is off by %v; %s", ErrTimeZone, off, zoneRemedy)
		}
		if off := back.Sub(at); off != 0 {
			return fmt.Errorf("%w: what is read is off by %v; %s", ErrTimeZone, off, zoneRemedy)
		}
		var wall moment
		if err := wall.parse(text); err != nil {
			return fmt.Errorf("ask for the zone of times: %w", err)
		}
		offsets[i] = wall.Sub(at)
	}
	if offsets[0] != offsets[1] {
		return fmt.Errorf("%w: the session's zone changes its clock, and an hour of the year would stand for two; %s", ErrTimeZone, zoneRemedy)
	}
	return nil
}
