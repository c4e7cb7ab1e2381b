package rdb

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A list is answered in the first possible of three ways:
//
//   - An index is in the requested order and answers the whole filter: we walk it from the
//     cursor, one entry per row of the page.
//   - An index that answers a part of the filter has at most [MaxLooked] rows: we read and
//     sort them.
//   - We walk the index in the requested order over the next MaxLooked rows at most. The
//     matching rows make the page, even if they are few.
//
// So the cost doesn't depend on the length of the history, for any filter and order.

// path is an index and the names of the terms that it answers.
type path struct {
	index   string
	answers []string
}

type query struct {
	form    shape
	table   string
	columns string
	at      string // the column of the time
	terms   terms
	order   order
	walk    path   // in the requested order
	small   []path // may have few matching rows
	limit   int
	cursor  *position
}

// rest returns the terms that a path doesn't answer.
func (q query) rest(p path) terms {
	var rest terms
	for _, t := range q.terms {
		if t.name != "there" && !slices.Contains(p.answers, t.name) {
			rest = append(rest, t)
		}
	}
	return rest
}

func (q query) answered(p path) terms {
	var answered terms
	for _, t := range q.terms {
		if t.name == "there" || slices.Contains(p.answers, t.name) {
			answered = append(answered, t)
		}
	}
	return answered
}

// source is the table with a hint for the path's index. MySQL assumes that a value in more than
// half of the rows is in exactly half of them, and that the part of an index below a cursor is as
// large as the whole, so it would walk from the newest row to the cursor on every page. SQLite
// assumes that an index is useless before ANALYZE.
func (q query) source(p path) string { return q.sourceAs("e", p) }

// sourceAs is source with another table name than e.
func (q query) sourceAs(name string, p path) string {
	switch {
	case !q.form.indexes[p.index]:
		return q.table + " " + name
	case q.form.dialect == "mysql":
		return q.table + " " + name + " FORCE INDEX (" + p.index + ")"
	default:
		return q.table + " AS " + name + " INDEXED BY " + p.index
	}
}

// eachOf returns a SQLite statement that reads executions for each element of a JSON array, its
// only parameter. chosen is a subquery that finds rows l for the element w.value. A statement with
// as many parts is equivalent, but SQLite takes several times as long to prepare it as to run it.
func eachOf(form shape, chosen string) string {
	return "SELECT " + form.executionSelect() + " FROM (SELECT value FROM json_each(?)) AS w CROSS JOIN " + executionTable + " AS e ON e.rowid IN (SELECT l.rowid FROM " + chosen + ")"
}

// jsonOf returns the parameter of [eachOf].
func jsonOf(asked any) string {
	text, err := json.Marshal(asked)
	if err != nil {
		panic(fmt.Sprintf("rdb: JSON of %T: %v", asked, err)) // only texts and lists of them
	}
	return string(text)
}

// segment is a part of a list whose rows are adjacent in an index. A single row comparison could
// replace the segments, but MySQL finds no start in an index for it.
type segment struct {
	terms terms
	keyed bool // sorted by the key first
	nulls bool // rows without a key
}

// by returns the path in the order of the segment, if p is in the order of the list.
func (q query) by(p path, s segment) path {
	if s.nulls && p.index == q.walk.index {
		return path{q.order.nullPath.index, p.answers}
	}
	return p
}

// exact returns the time of a row as a parameter in full precision, unlike a filter's limit.
func (q query) exact(t time.Time) any {
	if q.form.dialect == "sqlite" {
		return q.form.bind(t)
	}
	return t.UTC()
}

func (q query) bindKey(key any) any {
	if t, ok := key.(time.Time); ok {
		return q.exact(t)
	}
	return key
}

// segments returns the parts of the list after the cursor.
func (q query) segments() []segment {
	var after terms
	if c := q.cursor; c != nil {
		op := q.order.beyond()
		after.add("", q.at+" "+op+"= ?", q.exact(c.at))
		after.add("", "("+q.at+" "+op+" ? OR id "+op+" ?)", q.exact(c.at), c.id)
	}
	if q.order.key == "" {
		return []segment{{terms: after}}
	}
	key := q.order.key
	nulls := segment{terms: append(terms{{sql: q.order.nulls}}, after...), nulls: true}
	var list []segment
	switch {
	case q.cursor == nil && q.order.nulls == "":
		return []segment{{keyed: true}}
	case q.cursor == nil:
		list = []segment{{terms: terms{{sql: key + " IS NOT NULL"}}, keyed: true}, nulls}
		if q.order.ascending {
			slices.Reverse(list)
		}
		return list
	case q.cursor.null && !q.order.ascending:
		return []segment{nulls}
	case q.cursor.null:
		return []segment{nulls, {terms: terms{{sql: key + " IS NOT NULL"}}, keyed: true}}
	}
	value := q.bindKey(q.cursor.key)
	list = []segment{
		{terms: append(terms{{sql: key + " = ?", args: []any{value}}}, after...)},
		{terms: terms{{sql: key + " " + q.order.beyond() + " ?", args: []any{value}}}, keyed: true},
	}
	if q.order.nulls != "" && !q.order.ascending {
		list = append(list, segment{terms: terms{{sql: q.order.nulls}}, nulls: true})
	}
	return list
}

// until cuts a segment at a position, into the smaller keys and the rows with the same key. As one
// condition it would have no end in the index, so the database would walk to the last row of the key.
func (q query) until(s segment, p position) []segment {
	op := q.order.upTo()
	at := q.exact(p.at)
	last := segment{nulls: s.nulls, terms: append(slices.Clone(s.terms),
		term{sql: q.at + " " + op + "= ?", args: []any{at}},
		term{sql: "(" + q.at + " " + op + " ? OR id " + op + "= ?)", args: []any{at, p.id}})}
	if !s.keyed {
		return []segment{last}
	}
	key := q.bindKey(p.key)
	last.terms = append(last.terms, term{sql: q.order.key + " = ?", args: []any{key}})
	before := segment{keyed: true, terms: append(slices.Clone(s.terms), term{sql: q.order.key + " " + op + " ?", args: []any{key}})}
	return []segment{before, last}
}

func (q query) orderBy(s segment) string {
	direction := " DESC"
	if q.order.ascending {
		direction = ""
	}
	columns := []string{q.at, "id"}
	if s.keyed {
		columns = slices.Insert(columns, 0, q.order.key)
	}
	return " ORDER BY " + strings.Join(columns, direction+", ") + direction
}

// keyColumn is the last selected column, with the sort key.
func (q query) keyColumn() string {
	if q.order.key == "" {
		return ", 0 AS sort_key"
	}
	return ", " + q.order.key + " AS sort_key"
}

// choose returns the path for the list, and whether to stop after [MaxLooked] rows.
func (s *Store) choose(ctx context.Context, q query) (p path, bounded bool, err error) {
	if len(q.rest(q.walk)) == 0 {
		return q.walk, false, nil
	}
	for _, p := range q.small {
		// These terms need a look at each row. Without them there may be a few more rows.
		listed := slices.DeleteFunc(q.answered(p), func(t term) bool { return t.name == "ended" || t.name == "no cause" })
		n, err := s.countUpTo(ctx, q, p, listed, s.looks+1)
		if err != nil {
			return p, false, err
		}
		if n <= s.looks {
			return p, false, nil
		}
	}
	return q.walk, true, nil
}

// countUpTo counts rows up to a limit. The order makes PostgreSQL start at the end of an index;
// otherwise it reads the table until it has found enough, however long that takes.
func (s *Store) countUpTo(ctx context.Context, q query, p path, t terms, atMost int) (n int, err error) {
	hint := ""
	if q.form.dialect == "postgres" {
		hint = " ORDER BY " + q.at + " DESC"
	}
	where, args := t.where()
	err = s.db.WithContext(ctx).Raw("SELECT COUNT(*) FROM (SELECT 1 FROM "+q.source(p)+" WHERE "+where+hint+
		" LIMIT "+strconv.Itoa(atMost)+") t", args...).Scan(&n).Error
	return n, err
}

// bound returns the position [MaxLooked] rows into a segment, nil if the segment is shorter.
func (s *Store) bound(ctx context.Context, q query, p path, seg segment) (*position, error) {
	where, args := slices.Concat(q.answered(p), seg.terms).where()
	var found *position
	err := eachRow(s.db.WithContext(ctx), func(rows *sql.Rows) error {
		found = &position{}
		key := q.order.scanner()
		err := rows.Scan((*moment)(&found.at), &found.id, key)
		found.setKey(key)
		return err
	}, "SELECT "+q.at+", id"+q.keyColumn()+" FROM "+q.source(q.by(p, seg))+" WHERE "+where+
		q.orderBy(seg)+" LIMIT 1 OFFSET "+strconv.Itoa(s.looks-1), args...)
	return found, err
}

// cut returns the parts of a segment to read. If stops is set they end after [MaxLooked] rows, at the
// returned position.
func (s *Store) cut(ctx context.Context, q query, p path, stops bool, whole segment) ([]segment, *position, error) {
	if !stops {
		return []segment{whole}, nil, nil
	}
	stop, err := s.bound(ctx, q, p, whole)
	if err != nil || stop == nil {
		return []segment{whole}, nil, err
	}
	return q.until(whole, *stop), stop, nil
}

// page reads a page of a list. scan makes a row of all columns except the last, the sort key. place
// returns the time and the id of a row.
func page[T any](ctx context.Context, s *Store, q query, scan func(*sql.Rows, ...any) (T, error), place func(T) (time.Time, string)) (list []T, next string, err error) {
	p, stops, err := s.choose(ctx, q)
	if err != nil {
		return nil, "", err
	}
	var places []position
	for _, whole := range q.segments() {
		parts, stop, err := s.cut(ctx, q, p, stops, whole)
		if err != nil {
			return nil, "", err
		}
		for _, seg := range parts {
			where, args := slices.Concat(q.terms, seg.terms).where()
			err := eachRow(s.db.WithContext(ctx), func(rows *sql.Rows) error {
				key, here := q.order.scanner(), position{}
				row, err := scan(rows, key)
				here.at, here.id = place(row)
				here.setKey(key)
				list, places = append(list, row), append(places, here)
				return err
			}, "SELECT "+q.columns+q.keyColumn()+" FROM "+q.source(q.by(p, seg))+" WHERE "+where+
				q.orderBy(seg)+" LIMIT "+strconv.Itoa(q.limit+1-len(list)), args...)
			if err != nil {
				return nil, "", err
			}
			if len(list) > q.limit {
				return list[:q.limit], places[q.limit-1].encode(q.order), nil
			}
		}
		if stop != nil {
			return list, stop.encode(q.order), nil
		}
	}
	return list, "", nil
}

// count counts the rows of a list up to atMost. It's exact if there are fewer and the list could be searched.
func (s *Store) count(ctx context.Context, name string, atMost int, ask func(shape) (query, error)) (n int, exact bool, err error) {
	n, err = read(ctx, s, name, func(ctx context.Context, form shape) (n int, err error) {
		q, err := ask(form)
		if err != nil {
			return 0, err
		}
		if atMost < 1 {
			return 0, fmt.Errorf("%w: atMost %d, must be at least 1", ErrInvalidFilter, atMost)
		}
		p, stops, err := s.choose(ctx, q)
		if err != nil {
			return 0, err
		}
		parts, stop, err := s.cut(ctx, q, p, stops, q.segments()[0])
		if err != nil {
			return 0, err
		}
		for _, part := range parts {
			more, err := s.countUpTo(ctx, q, p, slices.Concat(q.terms, part.terms), atMost-n)
			if err != nil {
				return 0, err
			}
			if n += more; n == atMost {
				break
			}
		}
		exact = stop == nil && n < atMost
		return n, nil
	})
	return n, exact, err
}

// Suggestion is a column with suggestions for a prefix.
type Suggestion string

const (
	SuggestJobs       Suggestion = "jobs of executions"
	SuggestIPs        Suggestion = "addresses of executions"
	SuggestStatusJobs Suggestion = "jobs of the status trail"
)

// MaxSuggestions is the largest number of suggested values.
const MaxSuggestions = 20

// Suggest returns the first values of a column that begin with prefix, in order; prefix has no wildcards.
// Each costs one index entry, or up to [MaxLooked] if the table's collation treats other values as equal.
func (s *Store) Suggest(ctx context.Context, of Suggestion, prefix string) ([]string, error) {
	return read(ctx, s, "suggest", func(ctx context.Context, form shape) ([]string, error) {
		q := query{form: form, table: executionTable, at: "start_time"}
		p, column := path{index: "EXECUTION_JOB_START_INDEX"}, "job_name"
		switch of {
		case SuggestJobs:
		case SuggestIPs:
			p.index, column = "EXECUTION_IP_START_INDEX", "ip"
		case SuggestStatusJobs:
			q.table, q.at, p.index = statusTable, "creation_time", "STATUS_JOB_CREATION_INDEX"
		default:
			return nil, fmt.Errorf("%w: unknown column %q", ErrInvalidFilter, of)
		}
		c := form.columns[columnOf{q.table, column}]
		values := []string{}
		for len(values) < MaxSuggestions {
			var t terms
			switch {
			case prefix == "":
			case len(values) == 0 || form.dialect != "sqlite" || c.inexact || !storable(prefix):
				condition, args := form.begins(q.table, column, prefix)
				t.add("", condition, args...)
			default: // with two lower limits SQLite may start at the smaller one
				t.add("", column+" < ?", following(prefix))
			}
			last := ""
			if len(values) > 0 {
				last = values[len(values)-1]
			}
			t.add("", column+" > ?", last)
			where, args := t.where()
			var next []string
			err := s.db.WithContext(ctx).Raw("SELECT "+column+" FROM "+q.source(p)+" WHERE "+where+
				" ORDER BY "+column+" LIMIT 1", args...).Scan(&next).Error
			if err != nil {
				return nil, err
			}
			if len(next) == 0 {
				break
			}
			if first := next[0]; c.inexact {
				err = s.db.WithContext(ctx).Raw("SELECT MAX(v) FROM (SELECT "+column+" AS v FROM "+q.source(p)+
					" WHERE "+column+" = ? ORDER BY "+q.at+" DESC LIMIT "+strconv.Itoa(s.looks)+
					") t GROUP BY "+form.bytes(c, "v"), first).Scan(&next).Error
				if err != nil {
					return nil, err
				}
				next = slices.DeleteFunc(append(next, first), func(v string) bool { return !strings.HasPrefix(v, prefix) })
				if next = slices.Compact(slices.Sorted(slices.Values(next))); len(next) == 0 {
					break
				}
			}
			values = append(values, next...)
		}
		return values[:min(len(values), MaxSuggestions)], nil
	})
}

// order sorts a list by the key, then the time, then the id.
type order struct {
	key  string // an expression, empty to sort by time only
	kind kind
	// nulls is the condition for rows without a key, which sort lowest. nullPath is the index with
	// those rows by time. Both are empty if all rows have a key.
	nulls     string
	nullPath  path
	ascending bool
}

// position is the place of a row in a list.
type position struct {
	null bool
	key  any // string, time.Time or int64
	at   time.Time
	id   string
}

// beyond is the operator for rows after a position, upTo for rows before it.
func (o order) beyond() string {
	if o.ascending {
		return ">"
	}
	return "<"
}

func (o order) upTo() string {
	if o.ascending {
		return "<"
	}
	return ">"
}

func (o order) scanner() any {
	switch {
	case o.key == "":
		return new(sql.RawBytes)
	case o.kind == aText:
		return new(word)
	case o.kind == aTime:
		return new(moment)
	default:
		return new(sql.NullInt64)
	}
}

func (p *position) setKey(scanned any) {
	switch v := scanned.(type) {
	case *word:
		p.key = string(*v)
	case *moment:
		p.key, p.null = time.Time(*v), time.Time(*v).IsZero()
	case *sql.NullInt64:
		p.key, p.null = v.Int64, !v.Valid
	}
}

// name identifies the order in a cursor, so a cursor of another order is rejected.
func (o order) name() string {
	direction := "-"
	if o.ascending {
		direction = "+"
	}
	switch {
	case o.key == "":
		return direction
	case o.kind == aNumber:
		return "took" + direction
	default:
		return o.key + direction
	}
}

// encode makes a cursor: the order, the time, the length of the key, the key, the id.
func (p position) encode(o order) string {
	key := ""
	switch v := p.key.(type) {
	case string:
		key = "=" + v
	case time.Time:
		key = "=" + strconv.FormatInt(v.UnixMicro(), 10)
	case int64:
		key = "=" + strconv.FormatInt(v, 10)
	}
	if p.null {
		key = ""
	}
	text := fmt.Sprintf("%s %d %d %s%s", o.name(), p.at.UnixMicro(), len(key), key, p.id)
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

func (q *query) from(cursor string) error {
	if cursor == "" {
		return nil
	}
	wrong := fmt.Errorf("%w: %q", ErrInvalidCursor, cursor)
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return wrong
	}
	fields := strings.SplitN(string(raw), " ", 4)
	if len(fields) != 4 || fields[0] != q.order.name() || !storable(fields[3]) {
		return wrong
	}
	micros, err := strconv.ParseInt(fields[1], 10, 64)
	length, err2 := strconv.Atoi(fields[2])
	if err != nil || err2 != nil || length < 0 || length > len(fields[3]) {
		return wrong
	}
	p := position{at: time.UnixMicro(micros).UTC(), id: fields[3][length:]}
	key, there := strings.CutPrefix(fields[3][:length], "=")
	p.null = !there
	if q.order.key == "" != p.null && !(p.null && q.order.nulls != "") {
		return wrong
	}
	if !p.null {
		switch q.order.kind {
		case aText:
			p.key = key
		default:
			n, err := strconv.ParseInt(key, 10, 64)
			if err != nil {
				return wrong
			}
			p.key = n
			if q.order.kind == aTime {
				p.key = time.UnixMicro(n).UTC()
			}
		}
	}
	for column, text := range map[string]string{"id": p.id, q.order.key: key} {
		if held, err := q.form.holds(q.form.columns[columnOf{q.table, column}], text); err == nil && !held {
			return wrong
		}
	}
	q.cursor = &p
	return nil
}

type kind int

const (
	aText kind = iota
	aTime
	aNumber
)
