package query

import (
	"net/url"
	"strconv"

	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// MostCounted is as far as the rows of a list are counted: more would be read
// than anybody leafs through.
const MostCounted = 10_000

// Deepest is the last row that can be asked for by page number: leafing through
// reads everything before it.
const Deepest = 10_000

// Leaf turns pages of a list that is read with cursors until skip rows are
// passed, and returns the size rows there and the cursor after them. Pages that
// are not full because the list looks at so many rows at a time are put
// together, within what a request may take.
func Leaf[T any](skip, size int, cursor string, read func(limit int, cursor string) ([]T, string, error)) ([]T, string, error) {
	rows := []T{}
	for turns := 0; ; turns++ {
		want := size - len(rows)
		if skip > 0 {
			want = min(skip, rdb.MaxLimit)
		}
		page, next, err := read(want, cursor)
		if err != nil {
			return nil, "", err
		}
		if skip > 0 {
			skip -= len(page)
		} else {
			rows = append(rows, page...)
		}
		if cursor = next; cursor == "" || skip == 0 && len(rows) == size || turns == MostTurns {
			return rows, cursor, nil
		}
	}
}

// MostTurns is how often a list is asked for the rest of a page: as often as full
// pages are needed to get to the deepest one, and a few times more.
const MostTurns = Deepest/rdb.MaxLimit + 5

// MaxShards is how many shards one answer or page lists.
const MaxShards = 1000

// ParseShards reads which shards a query string asks for. The parameters are
// those of the list of jobs: the tables of ElasticJob's 2.x console send limit and
// offset and leaf through the whole list themselves.
func ParseShards(v url.Values) (page, size int, problems Problems) {
	page, size = 1, MaxShards
	number := func(name string, into *int, most int) {
		text := v.Get(name)
		if text == "" {
			return
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			problems = append(problems, noNumber(name, text, most))
			return
		}
		*into = n
	}
	number("page", &page, jobconfig.MaxShards)
	number("pageSize", &size, MaxShards)
	return page, size, problems
}
