package app

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// NoSettings is the answer of a console without a database of its own.
func NoSettings() *Problem {
	return Problem{Kind: KindUnavailable, Code: "no_settings"}.SaidAs(i18n.Lang.ProblemNoOwn, i18n.Lang.ProblemNoOwnHint)
}

// SettingProblem translates an error of the console's own database; absent is
// the answer if there is nothing of the name.
func SettingProblem(err error, absent *Problem) *Problem {
	switch {
	case errors.Is(err, settings.ErrNotFound):
		return absent
	case errors.Is(err, settings.ErrWrongKey):
		p := SettingsDown(err).SaidAs(i18n.Lang.ProblemWrongKey, i18n.Lang.ProblemWrongKeyHint)
		p.Code = "wrong_key"
		return p
	}
	return SettingsDown(err)
}

// KeepsSettings reports whether registries and data sources can be entered here.
func (s *Console) KeepsSettings() bool {
	return s.opts.Settings != nil && s.opts.Registries != nil && s.opts.Sources != nil
}

// SettingExists is the answer to a second entry of one name.
func SettingExists(kind func(i18n.Lang) string, name string) *Problem {
	return Problem{Kind: KindConflict, Code: "exists"}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemExists(kind(l), strconv.Quote(name)), l.ProblemExistsHint()
	})
}

// SettingFixed is the answer to a change of what the command line names.
func SettingFixed(kind func(i18n.Lang) string) *Problem {
	return Problem{Kind: KindConflict, Code: "fixed"}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemFixed(kind(l), strconv.Quote(DefaultRegistry)), l.ProblemFixedHint()
	})
}

// SettingName is the name in the address.
func SettingName(c *gin.Context) (string, error) {
	name, err := url.PathUnescape(c.Param("name"))
	if err != nil {
		return "", MalformedAs(i18n.Lang.ProblemEscapedName, i18n.Lang.ProblemEscapedHint)
	}
	return name, nil
}

// maxSettingName is what the database holds.
const maxSettingName = 100

// WrongName says what is wrong with the name of a setting.
func WrongName(name string) string {
	switch {
	case name == "" || name != strings.TrimSpace(name):
		return "a name without spaces around it"
	case len([]rune(name)) > maxSettingName:
		return fmt.Sprintf("at most %d characters", maxSettingName)
	case strings.ContainsFunc(name, NotInName):
		return "characters that can be printed, and no slash"
	}
	return ""
}

// NotInName reports whether a character can't be in a name.
func NotInName(r rune) bool { return !unicode.IsPrint(r) || r == '/' || r == unicode.ReplacementChar }

// ReadViews reads the saved views of a list that the caller has: those of everybody first, then the
// caller's own, by name.
func (s *Console) ReadViews(c *gin.Context, area string) ([]settings.View, error) {
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
