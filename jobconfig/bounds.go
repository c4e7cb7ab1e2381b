package jobconfig

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
)

// The bounds of a configuration's numbers. Validate refuses to write a value outside them. Usable
// refuses stored values that can't be served, and OutOfBounds lists the other ones.
const (
	// MaxShards is the largest shardingTotalCount that can be written and served. Each shard has
	// its own nodes in the tree and uses memory in every agent, so a larger number is a typing
	// error or an attack. Callers should compare a number of shards with MaxShards before they
	// allocate memory for it, because the stored number may be anything.
	MaxShards = 100_000
	// MaxReconcileMinutes is the largest reconcileIntervalMinutes: 365 days.
	MaxReconcileMinutes = 365 * 24 * 60
	// MaxTimeDiffSeconds is the largest maxTimeDiffSeconds: 365 days.
	MaxTimeDiffSeconds = 365 * 24 * 60 * 60
	// MaxTimeoutMillis is the largest timeout of a run or request, in milliseconds: the limit of
	// Java's int, about 24 days.
	MaxTimeoutMillis = math.MaxInt32
)

// Bounds are the least and the largest value of a number.
type Bounds struct{ Least, Most int }

// Has reports whether n is within the bounds.
func (b Bounds) Has(n int) bool { return b.Least <= n && n <= b.Most }

// String describes the allowed numbers.
func (b Bounds) String() string { return fmt.Sprintf("a whole number from %d to %d", b.Least, b.Most) }

// number connects a numeric key of a configuration with its bounds.
type number struct {
	key    string
	at     func(*Config) *int
	bounds Bounds
}

var numbers = []number{
	{"shardingTotalCount", func(c *Config) *int { return &c.Shards }, Bounds{1, MaxShards}},
	{"maxTimeDiffSeconds", func(c *Config) *int { return &c.MaxTimeDiffSeconds }, Bounds{-1, MaxTimeDiffSeconds}},
	{"reconcileIntervalMinutes", func(c *Config) *int { return &c.ReconcileMinutes }, Bounds{-1, MaxReconcileMinutes}},
}

// numericProps are ElasticJob's numeric properties.
var numericProps = map[string]Bounds{
	"email.port":                          {1, math.MaxUint16},
	PropConnectTimeout:                    {1, MaxTimeoutMillis},
	PropReadTimeout:                       {1, MaxTimeoutMillis},
	"wechat.connectTimeoutMilliseconds":   {1, MaxTimeoutMillis},
	"wechat.readTimeoutMilliseconds":      {1, MaxTimeoutMillis},
	"dingtalk.connectTimeoutMilliseconds": {1, MaxTimeoutMillis},
	"dingtalk.readTimeoutMilliseconds":    {1, MaxTimeoutMillis},
}

// NumericProp returns the bounds of a numeric property. known is false for other properties.
func NumericProp(key string) (b Bounds, known bool) {
	b, known = numericProps[key]
	return b, known
}

// NumberBounds returns the bounds of a numeric configuration key. known is false for other keys.
func NumberBounds(key string) (b Bounds, known bool) {
	for _, n := range numbers {
		if n.key == key {
			return n.bounds, true
		}
	}
	return Bounds{}, false
}

// outside returns the numbers of c that are outside their bounds.
func (c *Config) outside() []*FieldError {
	var problems []*FieldError
	for _, n := range numbers {
		if value := *n.at(c); !n.bounds.Has(value) {
			problems = append(problems, &FieldError{Field: n.key, Value: strconv.Itoa(value), Want: n.bounds.String()})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Props)) {
		bounds, known := numericProps[key]
		value := c.Props[key]
		if !known || value == "" {
			continue
		}
		// Other text is refused with ElasticJob's own error when the property is used.
		if n, err := strconv.Atoi(value); errors.Is(err, strconv.ErrRange) || err == nil && !bounds.Has(n) {
			problems = append(problems, &FieldError{Field: "props." + key, Value: value, Want: bounds.String()})
		}
	}
	return problems
}

// OutOfBounds returns the stored numbers that are outside their bounds although the job can be
// served. maxTimeDiffSeconds and reconcileIntervalMinutes are cut to their bound. If a property is
// out of bounds, its user fails with an error. Usable refuses a number of shards that is out of
// bounds.
func (c *Config) OutOfBounds() []*FieldError {
	return slices.DeleteFunc(c.outside(), func(e *FieldError) bool { return e.Field == "shardingTotalCount" })
}

// ReconcileInterval is the interval of the reconciler, at most MaxReconcileMinutes. It's zero if
// the reconciler is off.
func (c *Config) ReconcileInterval() time.Duration {
	return time.Duration(min(max(c.ReconcileMinutes, 0), MaxReconcileMinutes)) * time.Minute
}

// MaxTimeDiff is the tolerated clock difference, at most MaxTimeDiffSeconds. It's false if the
// difference isn't checked.
func (c *Config) MaxTimeDiff() (time.Duration, bool) {
	return time.Duration(min(max(c.MaxTimeDiffSeconds, 0), MaxTimeDiffSeconds)) * time.Second, c.MaxTimeDiffSeconds >= 0
}
