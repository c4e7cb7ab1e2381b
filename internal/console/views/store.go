package views

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
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// add saves a view of the caller's, or of everybody's.
func (s service) add(c *gin.Context, in api.ViewRequest) (settings.View, error) {
	in.Name = strings.TrimSpace(in.Name)
	s.Note(c, slog.String("order", "save view"), slog.String("target", view.Clip(in.Name, 100)), slog.Bool("shared", in.Shared))
	saved := settings.View{Area: in.Area, Name: in.Name, User: app.Caller(c).Name, At: s.Now()}
	if !in.Shared {
		saved.Owner = saved.User
	}
	var p *app.Problem
	if saved.Query, p = wrongView(in); p != nil {
		return saved, p
	}
	if s.Options().Settings == nil {
		return saved, app.NoSettings()
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	err := s.Options().Settings.AddView(ctx, saved)
	switch {
	case errors.Is(err, settings.ErrExists):
		return saved, app.SettingExists(i18n.Lang.ProblemKindView, saved.Name)
	case errors.Is(err, settings.ErrTooMany):
		return saved, app.Problem{Kind: app.KindConflict, Code: "conflict"}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemManyViews(settings.MaxViews), l.ProblemManyViewsHint()
		})
	case err != nil:
		return saved, app.SettingProblem(err, nil)
	}
	return saved, nil
}

// wrongView says what is wrong with a view, and returns its query in one spelling.
func wrongView(in api.ViewRequest) (asked string, p *app.Problem) {
	var fields []app.FieldBody
	wrong := func(field, value, want string) {
		fields = append(fields, app.FieldBody{Field: field, Value: view.Clip(value, 200), Want: want})
	}
	if want := app.WrongName(in.Name); want != "" {
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
	p = app.InvalidAs(i18n.Lang.ProblemWrongView, i18n.Lang.ProblemWrongFieldsHint)
	p.Fields = fields
	return asked, p
}

// remove forgets a view of the caller's, or of everybody's.
func (s service) remove(c *gin.Context, area, name string, shared bool) error {
	s.Note(c, slog.String("order", "remove view"), slog.String("target", view.Clip(name, 100)), slog.Bool("shared", shared))
	if s.Options().Settings == nil {
		return app.NoSettings()
	}
	owner := app.Caller(c).Name
	if shared {
		owner = ""
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	absent := app.NotFound("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNoView(strconv.Quote(view.Clip(cmp.Or(name, "?"), 100))), l.ProblemNothingChanged()
	})
	if err := s.Options().Settings.RemoveView(ctx, owner, area, name); err != nil {
		return app.SettingProblem(err, absent)
	}
	return nil
}
