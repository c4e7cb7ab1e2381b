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

// The bounds of the numbers of a configuration. Validate refuses to write a
// value outside them; Usable says which stored values cannot be served, and
// OutOfBounds which ones do not keep an agent from serving the job.
const (
	// MaxShards is the largest shardingTotalCount that can be written and
	// served. Each shard has nodes of its own in the tree and lines in every
	// agent's memory, so a larger number is a slip of the keyboard or an attack.
	// Nothing may allocate memory by a number of shards that was not compared
	// with it.
	MaxShards = 100_000
	// MaxReconcileMinutes is the largest reconcileIntervalMinutes: 365 days.
	MaxReconcileMinutes = 365 * 24 * 60
	// MaxTimeDiffSeconds is the largest maxTimeDiffSeconds: 365 days.
	MaxTimeDiffSeconds = 365 * 24 * 60 * 60
	// MaxTimeoutMillis is the largest timeout in milliseconds, of a run or of a
	// request: what fits Java's int, some 24 days.
	MaxTimeoutMillis = math.MaxInt32
)

// Bounds are the least and the largest value of a number.
type Bounds struct{ Least, Most int }

// Has reports whether n is within the bounds.
func (b Bounds) Has(n int) bool { return b.Least <= n && n <= b.Most }

// String says what is allowed.
func (b Bounds) String() string { return fmt.Sprintf("a whole number from %d to %d", b.Least, b.Most) }

// number ties a numeric key of a configuration to its bounds.
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

// numericProps are the properties of ElasticJob that are numbers.
var numericProps = map[string]Bounds{
	"email.port":                          {1, math.MaxUint16},
	PropConnectTimeout:                    {1, MaxTimeoutMillis},
	PropReadTimeout:                       {1, MaxTimeoutMillis},
	"wechat.connectTimeoutMilliseconds":   {1, MaxTimeoutMillis},
	"wechat.readTimeoutMilliseconds":      {1, MaxTimeoutMillis},
	"dingtalk.connectTimeoutMilliseconds": {1, MaxTimeoutMillis},
	"dingtalk.readTimeoutMilliseconds":    {1, MaxTimeoutMillis},
}

// NumericProp returns the bounds of a property that is a number; known is false
// for other properties.
func NumericProp(key string) (b Bounds, known bool) {
	b, known = numericProps[key]
	return b, known
}

// NumberBounds returns the bounds of a key of a configuration that is a number;
// known is false for other keys.
func NumberBounds(key string) (b Bounds, known bool) {
	for _, n := range numbers {
		if n.key == key {
			return n.bounds, true
		}
	}
	return Bounds{}, false
}

// outside lists the numbers of c that are outside their bounds.
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
		// Text that is no number is refused by what uses the property, in
		// ElasticJob's words.
		if n, err := strconv.Atoi(value); errors.Is(err, strconv.ErrRange) || err == nil && !bounds.Has(n) {
			problems = append(problems, &FieldError{Field: "props." + key, Value: value, Want: bounds.String()})
		}
	}
	return problems
}

// OutOfBounds lists the stored numbers that are outside their bounds although
// the job can be served: maxTimeDiffSeconds and reconcileIntervalMinutes count
// as their bound, and what needs a property that is out of bounds fails and says
// so. A number of shards that is out of bounds is Usable's to refuse.
func (c *Config) OutOfBounds() []*FieldError {
	return slices.DeleteFunc(c.outside(), func(e *FieldError) bool { return e.Field == "shardingTotalCount" })
}

// ReconcileInterval is the time between two looks of the reconciler, at most
// MaxReconcileMinutes; zero when it is off.
func (c *Config) ReconcileInterval() time.Duration {
	return time.Duration(min(max(c.ReconcileMinutes, 0), MaxReconcileMinutes)) * time.Minute
}

// MaxTimeDiff is the tolerated difference of clocks, at most
// MaxTimeDiffSeconds; false when it is not checked.
func (c *Config) MaxTimeDiff() (time.Duration, bool) {
	return time.Duration(min(max(c.MaxTimeDiffSeconds, 0), MaxTimeDiffSeconds)) * time.Second, c.MaxTimeDiffSeconds >= 0
}
