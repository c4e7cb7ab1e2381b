package quartz

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/elasticjob-go/elasticjob/internal/fullwidth"
)

// Expression is a parsed cron expression. It's immutable and safe for concurrent use. It doesn't
// contain the time zone; methods have a parameter for it.
type Expression struct {
	text string

	sets  [year]set // every field except the year
	years yearSet
	// lastYear is the last year with a fire time.
	lastYear int

	byWeekday      bool // day-of-month is "?"
	lastOfMonth    bool // L in day-of-month
	lastOffset     int  // n of L-n
	nearestWeekday bool // W
	lastWeekday    bool // nL in day-of-week
	nthWeekday     int  // n of "#n", or zero

	once bool        // see OnceAtClockChanges
	only restriction // zero if all times are fire times
}

// ParseError names the invalid part of an expression and the allowed values.
type ParseError struct {
	// Expression is the whole text.
	Expression string
	// Field is the name of the field, such as "day-of-week". It's empty if the problem isn't in one
	// field.
	Field string
	// Value is the invalid part of the field.
	Value string
	// Reason describes the problem.
	Reason string
	// Allowed lists the values that the field accepts. It's empty without a field.
	Allowed string
}

func (e *ParseError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("cron expression %q: %s", e.Expression, e.Reason)
	}
	return fmt.Sprintf("cron expression %q: %s %q: %s; allowed: %s",
		e.Expression, e.Field, e.Value, e.Reason, e.Allowed)
}

// Parse reads an expression of six or seven fields. Errors are *ParseError. An expression that can
// never fire, such as one for 30 February, isn't an error, but Next returns false.
func Parse(expr string) (*Expression, error) {
	e, err := parse(expr, time.Now().Year()+100)
	if wrong, is := errors.AsType[*ParseError](err); is {
		wrong.Reason += fullwidth.Hint(expr)
	}
	return e, err
}

// String returns the parsed text.
func (e *Expression) String() string { return e.text }

// parse is Parse with a fixed last year, because a few expressions depend on it.
func parse(expr string, lastYear int) (*Expression, error) {
	p := parser{expr: &Expression{text: expr, lastYear: lastYear}}
	// Only blanks and tabs separate fields. Other control characters are trimmed from each field,
	// so a line break at the end does no harm.
	tokens := splitFields(expr)
	if len(tokens) <= dayOfWeek {
		return nil, p.whole(fmt.Sprintf("has %d fields, needs six or seven: "+
			"second minute hour day-of-month month day-of-week [year]", len(tokens)))
	}
	if len(tokens) == year {
		tokens = append(tokens, "*")
	}
	for field := range fieldCount {
		p.field = field
		if err := p.parseField(strings.TrimFunc(tokens[field], func(r rune) bool { return r <= ' ' })); err != nil {
			return nil, err
		}
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	return p.expr, nil
}

// upperUnits returns the text in upper case, with one DEL for each UTF-16 unit outside ASCII. Such
// characters are never valid, but Quartz ignores text after a complete value and counts its length
// in UTF-16 units.
func upperUnits(text string) string {
	var b strings.Builder
	for _, r := range strings.ToUpper(text) {
		if r < 0x80 {
			b.WriteByte(byte(r))
			continue
		}
		for range max(1, utf16.RuneLen(r)) {
			b.WriteByte(0x7f)
		}
	}
	return b.String()
}

type parser struct {
	expr  *Expression
	field int
	value string // the current element of the list
}

func (p *parser) spec() *fieldSpec { return &fields[p.field] }

func (p *parser) whole(reason string) error {
	return &ParseError{Expression: p.expr.text, Reason: reason}
}

func (p *parser) errorf(format string, args ...any) error {
	return &ParseError{
		Expression: p.expr.text,
		Field:      p.spec().name,
		Value:      strings.ReplaceAll(p.value, "\x7f", "?"),
		Reason:     fmt.Sprintf(format, args...),
		Allowed:    p.spec().allowed,
	}
}

func (p *parser) parseField(text string) error {
	p.value = text
	isDay := p.field == dayOfMonth || p.field == dayOfWeek
	if isDay && strings.Contains(text, "L") && strings.Contains(text, ",") {
		if p.field == dayOfMonth {
			return p.errorf(listed25)
		}
		return p.errorf("L cannot be part of a list")
	}
	if p.field == dayOfWeek && strings.Count(text, "#") > 1 {
		return p.errorf("only one # is possible")
	}
	for element := range strings.SplitSeq(text, ",") {
		if element == "" {
			continue
		}
		p.value = element
		if err := p.parseElement(element); err != nil {
			return err
		}
	}
	p.value = text
	if p.field < dayOfMonth || p.field == month {
		if p.expr.sets[p.field].empty() {
			return p.errorf("selects nothing")
		}
	}
	return nil
}

// finish checks conditions across fields.
func (p *parser) finish() error {
	days, weekdays := &p.expr.sets[dayOfMonth], &p.expr.sets[dayOfWeek]
	p.expr.byWeekday = days.has(noneMark)
	if p.expr.byWeekday == weekdays.has(noneMark) {
		return p.whole("exactly one of day-of-month and day-of-week must be '?'")
	}
	if p.expr.byWeekday && weekdays.empty() {
		p.field, p.value = dayOfWeek, ""
		return p.errorf("selects nothing")
	}
	return nil
}

func (p *parser) parseElement(s string) error {
	switch c := s[0]; {
	case isLastRule(s):
		return p.parseLast(s)
	case c >= 'A' && c <= 'Z':
		return p.parseNamed(s)
	case c == '?':
		return p.parseNone(s)
	case c == '*' || c == '/':
		return p.parseEvery(s)
	case isDigit(c):
		return p.parseNumber(s)
	default:
		return p.errorf("unexpected character %q", c)
	}
}

// isLastRule distinguishes L, LW, L-n and L-nW from names that begin with an L.
func isLastRule(s string) bool {
	rest, found := strings.CutPrefix(s, "L")
	if !found || rest == "" || rest == "W" {
		return found
	}
	offset, found := strings.CutPrefix(strings.TrimSuffix(rest, "W"), "-")
	return found && strings.Trim(offset, "0123456789") == ""
}

// parseLast reads L, LW, L-n and L-nW. In day-of-week they all mean Saturday. In fields without L
// they select nothing.
func (p *parser) parseLast(s string) error {
	switch p.field {
	case dayOfWeek:
		return p.add(7, 7, 0)
	case dayOfMonth:
	default:
		return nil
	}
	rest := s[1:]
	if offset, found := strings.CutPrefix(rest, "-"); found {
		if offset == "" {
			return p.errorf("a number must follow L-")
		}
		digits := leadingDigits(offset)
		if digits != "" {
			n, err := p.number(digits)
			if err != nil {
				return err
			}
			if n > 30 {
				return p.errorf("the offset from the last day is %d, more than 30", n)
			}
			p.expr.lastOffset = n
		}
		rest = offset[len(digits):]
	}
	p.expr.lastOfMonth = true
	p.expr.nearestWeekday = rest == "W"
	return nil
}

// parseNamed reads JAN, JAN-MAR, MON, MON-FRI, MON#2 and MONL.
func (p *parser) parseNamed(s string) error {
	if p.spec().names == nil {
		return p.errorf("names are not possible here")
	}
	start, rest, err := p.name(s)
	if err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(rest, "-"):
		end, _, err := p.name(rest[1:])
		if err != nil {
			return err
		}
		return p.add(start, end, 1)
	case strings.HasPrefix(rest, "#") && p.field == dayOfWeek:
		if err := p.parseNth(rest[1:]); err != nil {
			return err
		}
	case strings.HasPrefix(rest, "L") && p.field == dayOfWeek:
		p.expr.lastWeekday = true
	}
	return p.add(start, absent, 0)
}

// name reads a name of three letters and returns its value and the rest.
func (p *parser) name(s string) (int, string, error) {
	if len(s) >= 3 {
		if value, ok := p.spec().named(s[:3]); ok {
			return value, s[3:], nil
		}
	}
	return 0, "", p.errorf("%q is not the name of a %s", s, p.spec().name)
}

func (p *parser) parseNth(s string) error {
	nth, err := strconv.ParseInt(s, 10, 32)
	if err != nil || nth < 1 || nth > 5 {
		return p.errorf("a number from 1 to 5 must follow #")
	}
	p.expr.nthWeekday = int(nth)
	return nil
}

func (p *parser) parseNone(s string) error {
	if len(s) > 2 {
		return p.errorf("nothing can follow '?'")
	}
	if p.field != dayOfMonth && p.field != dayOfWeek {
		return p.errorf("'?' is only possible in day-of-month and day-of-week")
	}
	if p.field == dayOfWeek && !p.expr.lastOfMonth {
		if days := &p.expr.sets[dayOfMonth]; days.empty() || days.last() == noneMark {
			return p.errorf("'?' is only possible in one of day-of-month and day-of-week, and the other must select something")
		}
	}
	return p.add(noneMark, absent, 0)
}

// parseEvery reads "*", "*/n" and "/n".
func (p *parser) parseEvery(s string) error {
	if s == "*" {
		return p.add(everyMark, absent, 0)
	}
	step, found := strings.CutPrefix(strings.TrimPrefix(s, "*"), "/")
	if !found {
		return p.add(everyMark, absent, 1)
	}
	// Only here a sign is allowed. A negative step counts as none.
	n, err := strconv.ParseInt(step, 10, 32)
	if err != nil {
		return p.errorf("a number must follow '/'")
	}
	if err := p.checkStep(int(n)); err != nil {
		return err
	}
	return p.add(everyMark, absent, int(n))
}

// parseNumber reads everything that begins with a digit: n, n-m, n-m/s, n/s, nL, nW and n#m. It
// ignores text after a complete value.
func (p *parser) parseNumber(s string) error {
	digits := leadingDigits(s)
	value, err := p.number(digits)
	if err != nil {
		return err
	}
	rest := s[len(digits):]
	if rest == "" {
		return p.add(value, absent, 0)
	}
	spec := p.spec()
	switch c := rest[0]; {
	case c == 'L' && p.field != dayOfWeek:
		return p.errorf("a number with L is only possible in day-of-week")
	case c == 'W' && p.field != dayOfMonth:
		return p.errorf("W is only possible in day-of-month")
	case c == '#' && p.field != dayOfWeek:
		return p.errorf("# is only possible in day-of-week")
	case (c == 'L' || c == 'W') && (value < spec.low || value > spec.high):
		return p.errorf("%d is out of range", value)
	case c == 'L':
		p.expr.lastWeekday = true
	case c == 'W':
		p.expr.nearestWeekday = true
	case c == '#':
		if err := p.parseNth(rest[1:]); err != nil {
			return err
		}
	case c == '-':
		return p.parseRange(value, rest[1:])
	case c == '/':
		return p.parseStep(value, rest[1:])
	default:
		return p.add(value, absent, 0)
	}
	p.expr.sets[p.field].add(value)
	return nil
}

// parseRange reads the rest after "n-": m or m/s.
func (p *parser) parseRange(start int, s string) error {
	digits := leadingDigits(s)
	end, err := p.number(digits)
	if err != nil {
		return err
	}
	step, found := strings.CutPrefix(s[len(digits):], "/")
	if !found {
		return p.add(start, end, 1)
	}
	// The step of a range may be larger than the field. Then it selects only the start.
	n, err := p.number(leadingDigits(step))
	if err != nil {
		return err
	}
	return p.add(start, end, n)
}

// parseStep reads the rest after "n/".
func (p *parser) parseStep(start int, s string) error {
	digits := leadingDigits(s)
	step, err := p.number(digits)
	if err != nil {
		return err
	}
	// Quartz only checks the rest after a step of one digit.
	if len(digits) == 1 && len(s) > 1 {
		return p.errorf("unexpected character %q after the step", s[1])
	}
	if err := p.checkStep(step); err != nil {
		return err
	}
	return p.add(start, absent, step)
}

func (p *parser) checkStep(step int) error {
	if limit := p.spec().maxStep; limit > 0 && step > limit {
		return p.errorf("the step %d is larger than %d", step, limit)
	}
	return nil
}

// add adds a value, or the range from start to end in steps, to the current field. A step of zero
// or less selects only the start, or everything if start is the mark of "*".
func (p *parser) add(start, end, step int) error {
	spec := p.spec()
	if err := p.checkRange(start, end); err != nil {
		return err
	}
	if step <= 0 {
		if start != everyMark {
			p.insert(start)
			return nil
		}
		step = 1
		p.insert(everyMark)
	}
	if start == everyMark {
		start = spec.low
	}
	if p.field == year {
		if end == absent {
			end = p.expr.lastYear
		}
		if end < start {
			return p.errorf("the range ends in %d before it starts", end)
		}
		p.expr.years = append(p.expr.years, yearRange{start, end, step})
		return nil
	}
	if end == absent {
		end = spec.high
	}
	if end >= start {
		for v := start; v <= min(end, setLimit); v += step {
			p.insert(v)
		}
		return nil
	}
	for v := start; v <= end+spec.size; v += step {
		wrapped := v % spec.size
		if wrapped == 0 && spec.low == 1 {
			wrapped = spec.size
		}
		p.insert(wrapped)
	}
	return nil
}

func (p *parser) checkRange(start, end int) error {
	spec := p.spec()
	switch {
	case p.field == year || start == everyMark:
		return nil
	case start == noneMark && (p.field == dayOfMonth || p.field == dayOfWeek):
		return nil
	case start < spec.low || start > spec.high:
		return p.errorf("%d is out of range", start)
	case end > spec.high:
		return p.errorf("%d is out of range", end)
	}
	return nil
}

func (p *parser) insert(value int) {
	if p.field == year {
		if value != everyMark { // the range is added below
			p.expr.years = append(p.expr.years, yearRange{value, value, 1})
		}
		return
	}
	p.expr.sets[p.field].add(value)
}

// number converts digits. There may be none or too many.
func (p *parser) number(digits string) (int, error) {
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return 0, p.errorf("%q is not a number", digits)
	}
	return int(n), nil
}

func leadingDigits(s string) string {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return s[:i]
		}
	}
	return s
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
