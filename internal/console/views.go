package console

import (
	"cmp"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// ViewJSON is a view as callers see it.
func ViewJSON(v settings.View) api.View {
	return api.View{ViewRequest: api.ViewRequest{Area: v.Area, Name: v.Name, Query: v.Query, Shared: v.Owner == ""}, User: v.User, At: view.IsoTime(v.At)}
}

// Views are the selections of lists that people saved.
type Views struct{ Console *Console }

// Read reads the views of a list that the caller has: those of everybody first, then his
// own, by name.
func (v Views) Read(c *gin.Context, area string) ([]settings.View, error) {
	s := v.Console
	if s.opts.Settings == nil {
		return nil, NoSettings()
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.opts.Settings.Views(ctx, Caller(c).Name, area)
	if err != nil {
		return nil, SettingProblem(err, nil)
	}
	return list, nil
}

// Add saves a view of the caller's, or of everybody's.
func (v Views) Add(c *gin.Context, in api.ViewRequest) (settings.View, error) {
	s := v.Console
	in.Name = strings.TrimSpace(in.Name)
	s.Note(c, slog.String("order", "save view"), slog.String("target", view.Clip(in.Name, 100)), slog.Bool("shared", in.Shared))
	saved := settings.View{Area: in.Area, Name: in.Name, User: Caller(c).Name, At: s.Now()}
	if !in.Shared {
		saved.Owner = saved.User
	}
	var p *Problem
	if saved.Query, p = wrongView(in); p != nil {
		return saved, p
	}
	if s.opts.Settings == nil {
		return saved, NoSettings()
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	err := s.opts.Settings.AddView(ctx, saved)
	switch {
	case errors.Is(err, settings.ErrExists):
		return saved, SettingExists(i18n.Lang.ProblemKindView, saved.Name)
	case errors.Is(err, settings.ErrTooMany):
		return saved, Problem{Kind: KindConflict, Code: "conflict"}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemManyViews(settings.MaxViews), l.ProblemManyViewsHint()
		})
	case err != nil:
		return saved, SettingProblem(err, nil)
	}
	return saved, nil
}

// wrongView says what is wrong with a view, and returns its query in one spelling.
func wrongView(in api.ViewRequest) (asked string, p *Problem) {
	var fields []FieldBody
	wrong := func(field, value, want string) {
		fields = append(fields, FieldBody{Field: field, Value: view.Clip(value, 200), Want: want})
	}
	if want := WrongName(in.Name); want != "" {
		wrong("name", in.Name, want)
	} else if utf8.RuneCountInString(in.Name) > settings.MaxViewName {
		wrong("name", in.Name, "at most "+strconv.Itoa(settings.MaxViewName)+" characters")
	}
	asked, problems := query.ViewQuery(in.Area, in.Query)
	switch {
	case !slices.Contains(query.Areas, in.Area):
		wrong("area", in.Area, strings.Join(query.Areas, " or "))
	case len(problems) > 0:
		wrong("query", in.Query, "a query that the list understands: "+view.Clip(view.Join(problems.In(i18n.English)), 300))
	case len(asked) > settings.MaxViewQuery:
		wrong("query", in.Query, "at most "+strconv.Itoa(settings.MaxViewQuery)+" characters")
	}
	if len(fields) == 0 {
		return asked, nil
	}
	p = InvalidAs(i18n.Lang.ProblemWrongView, i18n.Lang.ProblemWrongFieldsHint)
	p.Fields = fields
	return asked, p
}

// Remove forgets a view of the caller's, or of everybody's.
func (v Views) Remove(c *gin.Context, area, name string, shared bool) error {
	s := v.Console
	s.Note(c, slog.String("order", "remove view"), slog.String("target", view.Clip(name, 100)), slog.Bool("shared", shared))
	if s.opts.Settings == nil {
		return NoSettings()
	}
	owner := Caller(c).Name
	if shared {
		owner = ""
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	absent := NotFound("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNoView(strconv.Quote(view.Clip(cmp.Or(name, "?"), 100))), l.ProblemNothingChanged()
	})
	if err := s.opts.Settings.RemoveView(ctx, owner, area, name); err != nil {
		return SettingProblem(err, absent)
	}
	return nil
}
