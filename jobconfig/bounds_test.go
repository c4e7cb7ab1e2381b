package jobconfig

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestV16V17EveryNumberHasBounds: a number outside its bounds should be refused with the field and
// the bound. Among stored numbers, only the number of shards should make a job unusable, and no
// derived time should be negative or overflow.
func TestV16V17EveryNumberHasBounds(t *testing.T) {
	t.Parallel()
	for _, n := range numbers {
		for _, value := range []int{math.MinInt, math.MinInt32, -2, -1, 0, 1, n.bounds.Most, n.bounds.Most + 1, math.MaxInt32, math.MaxInt} {
			c := New("job", 1)
			*n.at(c) = value
			inside := value >= n.bounds.Least && value <= n.bounds.Most
			what := fmt.Sprintf("%s=%d", n.key, value)
			err := c.Validate()
			problem := (*FieldError)(nil)
			switch {
			case inside && err != nil:
				t.Errorf("%s is refused: %v", what, err)
			case !inside && (!errors.As(err, &problem) || problem.Field != n.key || problem.Value != strconv.Itoa(value) || !strings.Contains(problem.Want, strconv.Itoa(n.bounds.Most))):
				t.Errorf("%s: %v, want field, value and bound", what, err)
			}
			if usable := inside || n.key != "shardingTotalCount"; (c.Usable() == nil) != usable {
				t.Errorf("%s: usable is %v: %v", what, !usable, c.Usable())
			}
			if served := c.OutOfBounds(); !inside && n.key != "shardingTotalCount" && (len(served) != 1 || served[0].Field != n.key) {
				t.Errorf("%s is served without a word: %v", what, served)
			}
			year := 365 * 24 * time.Hour
			if d := c.ReconcileInterval(); d < 0 || d > year || (d > 0) != (c.ReconcileMinutes > 0) {
				t.Errorf("%s: a reconcile interval of %v", what, d)
			}
			if d, checked := c.MaxTimeDiff(); d < 0 || d > year || checked != (c.MaxTimeDiffSeconds >= 0) {
				t.Errorf("%s: a clock difference of %v, %v", what, d, checked)
			}
		}
	}
	for key, bounds := range numericProps {
		for _, value := range []string{"", "1", "many", strconv.Itoa(bounds.Most)} {
			c := New("job", 1)
			c.Props = map[string]string{key: value}
			if err := c.Validate(); err != nil {
				t.Errorf("%s=%q is refused: %v", key, value, err)
			}
		}
		for _, value := range []string{"-1", "0", strconv.Itoa(bounds.Most + 1), strconv.Itoa(math.MaxInt), "99999999999999999999"} {
			c := New("job", 1)
			c.Props = map[string]string{key: value}
			problem := (*FieldError)(nil)
			if err := c.Validate(); !errors.As(err, &problem) || problem.Field != "props."+key || !strings.Contains(problem.Want, strconv.Itoa(bounds.Most)) {
				t.Errorf("%s=%q: %v, want field and bound", key, value, err)
			}
			if c.Usable() != nil || len(c.OutOfBounds()) != 1 {
				t.Errorf("%s=%q: stored, it is %v, %v", key, value, c.Usable(), c.OutOfBounds())
			}
		}
	}
}
