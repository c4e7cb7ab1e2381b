package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/spelling"
)

// watchEvery is how often --watch asks.
const watchEvery = 2 * time.Second

// asker is a command that asks a console.
type asker interface {
	with(p *cli.Process, do func(context.Context, *client) error) error
	print(p *cli.Process, raw []byte, text func() error, names ...string) error
}

// watching is the flag of commands that show something.
type watching struct {
	Watch bool `group:"console" help:"With commands that show something: ask every two seconds, and print each answer that differs."`
}

// question is a GET request of a command and the view of its answer.
type question[T any] struct {
	path  string
	query url.Values
	text  func(w io.Writer, answer T) error // the table
	names func(answer T) []string           // for -o name
	job   string                            // its name may be misspelt; empty if there is none
}

// show prints the answer to a question, with --watch again whenever it differs.
func show[T any](p *cli.Process, a asker, watch watching, q question[T]) error {
	return a.with(p, func(ctx context.Context, c *client) error {
		var last []byte
		terminal := fitsTerminal(p.Stdout)
		for pause := time.NewTimer(0); ; pause.Reset(watchEvery) {
			select {
			case <-ctx.Done():
				return nil // A watch ends with a signal or --timeout.
			case <-pause.C:
			}
			var answer T
			raw, err := c.Ask(ctx, api.Call{Method: http.MethodGet, Path: q.path, Query: q.query}, &answer)
			switch {
			case ctx.Err() != nil && last != nil:
				return nil
			case err != nil && last != nil && api.Passes(err):
				fmt.Fprintf(p.Stderr, "elasticjob: %v\n", err)
				continue
			case err != nil:
				return c.mean(ctx, q.job, err)
			}
			if !bytes.Equal(raw, last) || last == nil {
				if watch.Watch && terminal {
					fmt.Fprint(p.Stdout, "\x1b[H\x1b[2J") // clears the screen
				}
				if err := a.print(p, raw, func() error { return q.text(p.Stdout, answer) }, q.names(answer)...); err != nil {
					return err
				}
			}
			if last = raw; !watch.Watch {
				return nil
			}
		}
	})
}

func fitsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// just is the name of an answer about one thing.
func just[T any](name string) func(T) []string {
	return func(T) []string { return []string{name} }
}

// namesOf returns the names of rows.
func namesOf[R any](name func(R) string) func([]R) []string {
	return func(rows []R) []string {
		list := make([]string, len(rows))
		for i, r := range rows {
			list[i] = name(r)
		}
		return list
	}
}

// table writes lines of columns. On a terminal the columns are cut so that lines fit.
func table(w io.Writer, head string, lines func(row func(columns ...any))) error {
	rows := [][]string{strings.Fields(head)}
	lines(func(columns ...any) {
		words := make([]string, len(columns))
		for i, c := range columns {
			if words[i] = api.Plain(fmt.Sprint(c)); words[i] == "" {
				words[i] = "-"
			}
		}
		rows = append(rows, words)
	})
	if file, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			fit(rows, width)
		}
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, words := range rows {
		fmt.Fprintln(t, strings.Join(words, "\t"))
	}
	return t.Flush()
}

// copied are columns with texts that other commands take. They are cut last.
var copied = []string{"NAME", "JOB", "ID", "REVISION", "ADDRESS", "INSTANCE"}

// fit cuts columns so that lines fit into a width: first the last column, then the widest ones, and
// columns that are copied only if nothing else is left. No column gets less than ten letters.
func fit(rows [][]string, width int) {
	const least, gap = 10, 2
	widths := make([]int, len(rows[0]))
	for _, words := range rows {
		for i, word := range words {
			widths[i] = max(widths[i], len([]rune(word)))
		}
	}
	over := gap*(len(widths)-1) - width
	for _, w := range widths {
		over += w
	}
	last := len(widths) - 1
	for _, may := range []func(i int) bool{
		func(i int) bool { return i == last },
		func(i int) bool { return !slices.Contains(copied, rows[0][i]) },
		func(int) bool { return true },
	} {
		for over > 0 {
			widest := -1
			for i, w := range widths {
				if may(i) && w > least && (widest < 0 || w > widths[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				break
			}
			widths[widest]--
			over--
		}
	}
	for _, words := range rows {
		for i, word := range words {
			if text := []rune(word); len(text) > widths[i] {
				words[i] = string(text[:widths[i]-1]) + "…"
			}
		}
	}
}

// mean adds the name that was probably meant to an answer that a job doesn't exist.
func (c *client) mean(ctx context.Context, job string, err error) error {
	if job == "" || !api.NotFound(err) {
		return err
	}
	var jobs []api.Job
	if _, failed := c.Ask(ctx, api.Call{Method: http.MethodGet, Path: "/api/jobs"}, &jobs); failed != nil {
		return err
	}
	return didYouMean(err, job, namesOf(func(j api.Job) string { return j.JobName })(jobs))
}

// didYouMean adds the nearest of the names to an error, unless the name is there.
func didYouMean(err error, name string, names []string) error {
	nearest := spelling.Nearest(name, names)
	if nearest == "" || slices.Contains(names, name) {
		return err
	}
	return &cli.Failure{Err: err, Code: cli.ExitFailure, Remedy: "Did you mean " + inShell(nearest) + "?\n" + cli.Hint(err)}
}
