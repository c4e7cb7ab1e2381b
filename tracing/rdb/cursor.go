package rdb

import (
	"database/sql"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

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
