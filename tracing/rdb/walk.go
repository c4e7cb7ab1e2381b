package rdb

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
)

// A list is answered in one of three ways, whichever is the first that can be:
//
//   - An index is in the order asked for and answers the whole filter: it is
//     walked from the cursor on, one entry for each row of the page.
//   - An index that answers a part of the filter has no more than [MaxLooked]
//     rows of it: they are read and sorted.
//   - The index in the order asked for is walked over the next MaxLooked rows at
//     most, and those that match make the page, be they few.
//
// So the length of the history costs nothing, whatever the filter and the order.

// path is an index and the terms that it answers, by their names.
type path struct {
	index   string
	answers []string
}

// query is a list that was asked for.
type query struct {
	form    shape
	table   string
	columns string
	at      string // the column of the time
	terms   terms
	order   order
	walk    path   // in the order asked for
	small   []path // those that may hold few rows of it
	limit   int
	cursor  *position
}

// rest are the terms that a path leaves over.
func (q query) rest(p path) terms {
	var rest terms
	for _, t := range q.terms {
		if t.name != "there" && !slices.Contains(p.answers, t.name) {
			rest = append(rest, t)
		}
	}
	return rest
}

// answered are the others.
func (q query) answered(p path) terms {
	var answered terms
	for _, t := range q.terms {
		if t.name == "there" || slices.Contains(p.answers, t.name) {
			answered = append(answered, t)
		}
	}
	return answered
}

// source is the table, by the path's index. MySQL guesses that any value with
// more than half of the rows has just half of them, takes the part of an index
// below a cursor for no smaller than the whole, and then walks from the newest
// row to the cursor on every page; SQLite guesses that an index is worth nothing
// until it has been asked to count.
func (q query) source(p path) string { return q.sourceAs("e", p) }

// sourceAs is source by another name than e.
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

// eachOf is a statement of SQLite that reads executions for each element of a JSON
// array, its one parameter: those that chosen finds, a subquery for a row l with the
// element in w.value. One statement of so many parts says the same, and takes SQLite
// several times as long to prepare as to answer.
func eachOf(form shape, chosen string) string {
	return "SELECT " + form.executionSelect() + " FROM (SELECT value FROM json_each(?)) AS w CROSS JOIN " + executionTable + " AS e ON e.rowid IN (SELECT l.rowid FROM " + chosen + ")"
}

// jsonOf is what is asked for as the parameter of [eachOf].
func jsonOf(asked any) string {
	text, err := json.Marshal(asked)
	if err != nil {
		panic(fmt.Sprintf("rdb: JSON of %T: %v", asked, err)) // texts and lists of them
	}
	return string(text)
}

// segment is a part of a list whose rows an index has side by side. The row
// comparison that would make one part of all is one that MySQL finds no begin
// for in an index.
type segment struct {
	terms terms
	keyed bool // sorted by the key first
	nulls bool // those without a key
}

// by is the path that has the segment in its order, if p has the list so.
func (q query) by(p path, s segment) path {
	if s.nulls && p.index == q.walk.index {
		return path{q.order.nullPath.index, p.answers}
	}
	return p
}

// exact is a time of a row as a parameter: with all it has, other than a bound.
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

// segments are the parts of the list after the cursor.
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

// until is a segment up to a place in it: the keys before that of the place,
// and the rows of that one. Together they would be a part of the index whose
// end nobody finds: it would be walked to the last row of the key.
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

// orderBy is the order of a segment.
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

// keyColumn is what the order's key is read as, after all other columns.
func (q query) keyColumn() string {
	if q.order.key == "" {
		return ", 0 AS sort_key"
	}
	return ", " + q.order.key + " AS sort_key"
}

// choose decides how the list is answered: by which path, and whether it is to
// be left after [MaxLooked] rows.
func (s *Store) choose(ctx context.Context, q query) (p path, bounded bool, err error) {
	if len(q.rest(q.walk)) == 0 {
		return q.walk, false, nil
	}
	for _, p := range q.small {
		// Without what takes a look at each row, they may be a few more.
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

// countUpTo counts rows up to a limit. The order makes PostgreSQL begin at the
// end of an index; it would rather read the table until it has found enough,
// however long that takes.
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

// bound finds the place in a segment that is [MaxLooked] rows away; nil if the
// segment ends before.
func (s *Store) bound(ctx context.Context, q query, p path, seg segment) (*position, error) {
	where, args := slices.Concat(q.answered(p), seg.terms).where()
	rows, err := s.db.WithContext(ctx).Raw("SELECT "+q.at+", id"+q.keyColumn()+" FROM "+q.source(q.by(p, seg))+" WHERE "+where+
		q.orderBy(seg)+" LIMIT 1 OFFSET "+strconv.Itoa(s.looks-1), args...).Rows()
	if err != nil {
		return nil, err
	}
	var found *position
	err = eachRow(rows, func() error {
		found = &position{}
		key := q.order.scanner()
		var at moment
		if err := rows.Scan(&at, &found.id, key); err != nil {
			return err
		}
		found.at = at.Time
		found.setKey(key)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// page reads a page of a list; read makes a row of all columns but the last,
// which is the key.
func page[T any](ctx context.Context, s *Store, q query, read func(*sql.Rows, ...any) (T, time.Time, string, error)) (list []T, next string, err error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	p, stops, err := s.choose(ctx, q)
	if err != nil {
		return nil, "", err
	}
	var places []position
	for _, whole := range q.segments() {
		parts := []segment{whole}
		var stop *position
		if stops {
			if stop, err = s.bound(ctx, q, p, whole); err != nil {
				return nil, "", err
			}
			if stop != nil {
				parts = q.until(whole, *stop)
			}
		}
		for _, seg := range parts {
			where, args := slices.Concat(q.terms, seg.terms).where()
			rows, err := s.db.WithContext(ctx).Raw("SELECT "+q.columns+q.keyColumn()+" FROM "+q.source(q.by(p, seg))+" WHERE "+where+
				q.orderBy(seg)+" LIMIT "+strconv.Itoa(q.limit+1-len(list)), args...).Rows()
			if err != nil {
				return nil, "", err
			}
			err = eachRow(rows, func() error {
				key, place := q.order.scanner(), position{}
				row, at, id, err := read(rows, key)
				place.at, place.id = at, id
				place.setKey(key)
				list, places = append(list, row), append(places, place)
				return err
			})
			if err != nil {
				return nil, "", err
			}
			if len(list) > q.limit {
				break
			}
		}
		switch {
		case len(list) > q.limit:
			return list[:q.limit], places[q.limit-1].encode(q.order), nil
		case stop != nil:
			return list, stop.encode(q.order), nil
		}
	}
	return list, "", nil
}

// total counts the rows of a list, up to a number. It is exact if it is less
// and the list could be looked through.
func (s *Store) total(ctx context.Context, q query, atMost int) (n int, exact bool, err error) {
	if atMost < 1 {
		return 0, false, fmt.Errorf("%w: atMost %d, must be at least 1", ErrInvalidFilter, atMost)
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	p, stops, err := s.choose(ctx, q)
	if err != nil {
		return 0, false, err
	}
	parts, whole := []segment{{}}, true
	if stops {
		seg := q.segments()[0]
		stop, err := s.bound(ctx, q, p, seg)
		if err != nil {
			return 0, false, err
		}
		if stop != nil {
			parts, whole = q.until(seg, *stop), false
		}
	}
	for _, part := range parts {
		more, err := s.countUpTo(ctx, q, p, slices.Concat(q.terms, part.terms), atMost-n)
		if err != nil {
			return 0, false, err
		}
		if n += more; n == atMost {
			break
		}
	}
	return n, whole && n < atMost, nil
}

// Suggestion is a column whose values can be asked for by how they begin.
type Suggestion string

// The columns with suggestions.
const (
	SuggestJobs       Suggestion = "jobs of executions"
	SuggestIPs        Suggestion = "addresses of executions"
	SuggestStatusJobs Suggestion = "jobs of the status trail"
)

// MaxSuggestions is the number of values that are suggested at most.
const MaxSuggestions = 20

// Suggest returns the first values of a column that begin with prefix, which
// has no wildcards, in their order. Each costs one entry of an index, or up to [MaxLooked]
// if the table's collation treats other values as equal.
func (s *Store) Suggest(ctx context.Context, of Suggestion, prefix string) ([]string, error) {
	form, err := s.shape(ctx)
	if err != nil {
		return nil, fmt.Errorf("suggest: %w", err)
	}
	q := query{form: form, table: executionTable, at: "start_time"}
	p, column := path{index: "EXECUTION_JOB_START_INDEX"}, "job_name"
	switch of {
	case SuggestJobs:
	case SuggestIPs:
		p.index, column = "EXECUTION_IP_START_INDEX", "ip"
	case SuggestStatusJobs:
		q.table, q.at, p.index = statusTable, "creation_time", "STATUS_JOB_CREATION_INDEX"
	default:
		return nil, fmt.Errorf("suggest: %w: there is no column %q", ErrInvalidFilter, of)
	}
	c := form.columns[columnOf{q.table, column}]
	ctx, cancel := bounded(ctx)
	defer cancel()
	values := []string{}
	for len(values) < MaxSuggestions {
		var t terms
		switch {
		case prefix == "":
		case len(values) == 0 || form.dialect != "sqlite" || c.inexact || !storable(prefix):
			condition, args := form.begins(q.table, column, prefix)
			t.add("", condition, args...)
		default: // of two lower bounds SQLite may begin at the lesser
			t.add("", column+" < ?", following(prefix))
		}
		if len(values) > 0 {
			t.add("", column+" > ?", values[len(values)-1])
		} else {
			t.add("", column+" > ''")
		}
		where, args := t.where()
		var next []string
		err := s.db.WithContext(ctx).Session(&gorm.Session{}).Raw("SELECT "+column+" FROM "+q.source(p)+" WHERE "+where+
			" ORDER BY "+column+" LIMIT 1", args...).Scan(&next).Error
		if err != nil {
			return nil, fmt.Errorf("suggest: %w", err)
		}
		if len(next) == 0 {
			break
		}
		if first := next[0]; c.inexact {
			err = s.db.WithContext(ctx).Raw("SELECT MAX(v) FROM (SELECT "+column+" AS v FROM "+q.source(p)+
				" WHERE "+column+" = ? ORDER BY "+q.at+" DESC LIMIT "+strconv.Itoa(s.looks)+
				") t GROUP BY "+form.bytes(c, "v"), first).Scan(&next).Error
			if err != nil {
				return nil, fmt.Errorf("suggest: %w", err)
			}
			next = slices.DeleteFunc(append(next, first), func(v string) bool { return !strings.HasPrefix(v, prefix) })
			if next = slices.Compact(slices.Sorted(slices.Values(next))); len(next) == 0 {
				break
			}
		}
		values = append(values, next...)
	}
	return values[:min(len(values), MaxSuggestions)], nil
}
