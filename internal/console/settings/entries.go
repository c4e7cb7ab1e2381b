package settings

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	stored "github.com/elasticjob-go/elasticjob/internal/store/settings"
	settingspage "github.com/elasticjob-go/elasticjob/web/templates/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// kind is everything about registries or data sources that the two don't share. E is an entry as
// it's stored, and R the request that adds or changes it.
type kind[E, R any] interface {
	words() words

	// fixed are the entries of the command line: one or none. down is why they can't be used now.
	fixed() []E
	down(c *gin.Context) error
	// stored are the stored entries, add stores a new one, and connections connects to them.
	stored(s app.Settings) stored.Entries[E]
	add(ctx context.Context, entry E) error
	connections() connections[E]

	// name is the name of an entry, and named the one in a request.
	name(entry E) string
	named(r *R) *string
	// check makes an entry of a request, and returns the fields that are wrong. before is the entry
	// that the request changes, and zero if it adds one.
	check(r R, before E) (E, []api.FieldBody)
	// probe connects to an entry and describes it.
	probe(ctx context.Context, l i18n.Lang, entry E) (ui.Note, error)

	// answer is an entry as callers see it, and activated the answer about the entry that their
	// token has connected; nil if it was removed.
	answer(entry E, active bool) any
	activated(c *gin.Context, answer any) any

	// columns and row show an entry in the list, and more follows the list; nil for nothing.
	columns(l i18n.Lang) []settingspage.Column
	row(c *gin.Context, l i18n.Lang, entry E) templ.Component
	more(c *gin.Context, l i18n.Lang) templ.Component
	// values fills the form about an entry, fromForm makes a request of it, and form draws it.
	values(entry E) url.Values
	fromForm(v url.Values, before E) (R, error)
	form(f settingspage.Form, before E) templ.Component
	// effects are the consequences of a removal.
	effects(ctx context.Context, l i18n.Lang, entry E) []string
}

// connections is the part of [app.Connections] that the two kinds share.
type connections[E any] interface {
	Allowed(entry E) error
	Forget(name string)
}

// words are the names and addresses of a kind.
type words struct {
	kind      stored.Kind
	api, page string // addresses
	testID    string
	touches   app.Touches // of its list, in addition to the settings
	example   string      // body of a request

	noun, wrong, title, label, sub, addLabel func(i18n.Lang) string
	editTitle                                func(l i18n.Lang, name string) string
	added, changed                           func(l i18n.Lang, name, found string) string
	problem                                  func(name string, err error) *app.Problem // of a connection
	absent                                   func(name string) *app.Problem
}

// entries serves a kind of entries over REST and on pages.
type entries[E, R any] struct {
	*app.Console
	kind[E, R]
}

// list returns the entries, the one of the command line first.
func (k entries[E, R]) list(c *gin.Context) ([]E, error) {
	return app.EntryList(k.Console, c, k.stored, k.fixed()...)
}

// find looks up a stored entry.
func (k entries[E, R]) find(ctx context.Context, name string) (E, error) {
	return app.StoredEntry(ctx, k.Console, k.stored, name, k.words().absent)
}

// get answers with the entries.
func (k entries[E, R]) get(c *gin.Context) error {
	list, _, err := k.answers(c)
	return app.Answer(c, list, err)
}

// answers are the entries as callers see them, and among them the active entry: requests
// with the caller's token are about it. It is nil if it was removed.
func (k entries[E, R]) answers(c *gin.Context) (list []any, active any, err error) {
	chosen, err := k.Chosen(c, k.words().kind)
	if err != nil {
		return nil, nil, err
	}
	all, err := k.list(c)
	if err != nil {
		return nil, nil, err
	}
	list = []any{}
	for _, entry := range all {
		is := k.name(entry) == cmp.Or(chosen, app.DefaultRegistry)
		list = append(list, k.answer(entry, is))
		if is {
			active = list[len(list)-1]
		}
	}
	return list, active, nil
}

// getActivated answers with the active entry, or whether there is one; see [kind].activated.
func (k entries[E, R]) getActivated(c *gin.Context) error {
	_, active, err := k.answers(c)
	return app.Answer(c, k.activated(c, active), err)
}

// post adds an entry. It doesn't connect to it.
func (k entries[E, R]) post(c *gin.Context) error {
	entry, err := k.readNew(c, "enter")
	if err == nil {
		err = k.insert(c, entry)
	}
	if err != nil {
		return err
	}
	app.Created(c, k.answer(entry, false))
	return nil
}

// put changes an entry.
func (k entries[E, R]) put(c *gin.Context) error {
	var r R
	name, err := app.SettingName(c)
	if err == nil {
		err = readBody(k.Console, c, &r, &name, k.doing("change"))
	}
	if err != nil {
		return err
	}
	before, err := k.entered(c, name)
	if err != nil {
		return err
	}
	*k.named(&r) = name
	entry, err := k.make(r, before)
	if err == nil {
		err = k.update(c, entry)
	}
	return app.Answer(c, k.answer(entry, false), err)
}

// delete removes an entry. Nothing in its registry or database changes.
func (k entries[E, R]) delete(c *gin.Context) error {
	name, err := k.nameIn(c, "remove")
	if err == nil {
		err = k.drop(c, name)
	}
	if err != nil {
		return err
	}
	app.Removed(c)
	return nil
}

// postTest connects to an entry that need not be stored, and ends the connection.
func (k entries[E, R]) postTest(c *gin.Context) error {
	entry, err := k.readNew(c, "test")
	if err == nil {
		err = k.try(c, entry)
	}
	return app.Answer(c, true, err)
}

// postConnect chooses an entry, as ElasticJob's consoles do. Requests with the caller's token are
// about it from then on, unless they name another. If the entry can't be connected to, the choice
// doesn't change.
func (k entries[E, R]) postConnect(c *gin.Context) error {
	name, err := k.nameIn(c, "connect")
	if err != nil {
		return err
	}
	if name == app.DefaultRegistry {
		err = k.down(c)
	} else {
		ctx, cancel := k.Reading(c)
		defer cancel()
		var entry E
		if entry, err = k.find(ctx, name); err == nil {
			err = k.try(c, entry)
		}
	}
	if err == nil {
		err = k.Choose(c, k.words().kind, name)
	}
	return app.Answer(c, true, err)
}

// doing names the action of a request, for the audit.
func (k entries[E, R]) doing(verb string) string { return verb + " " + string(k.words().kind) }

// readNew reads a new entry from the body of a request.
func (k entries[E, R]) readNew(c *gin.Context, verb string) (entry E, err error) {
	var r R
	if err := readBody(k.Console, c, &r, k.named(&r), k.doing(verb)); err != nil {
		return entry, err
	}
	var none E
	return k.make(r, none)
}

// readBody reads the body of a request about a setting, and notes the name for the audit.
func readBody(s *app.Console, c *gin.Context, body any, name *string, doing string) error {
	if !s.KeepsSettings() {
		return app.NoSettings()
	}
	err := app.ReadJSON(c, body)
	note(s, c, doing, *name)
	return err
}

func note(s *app.Console, c *gin.Context, doing, name string) {
	s.Note(c, slog.String("order", doing), slog.String("target", view.Clip(name, 100)))
}

// nameIn is the name in the address, or in a body that has only a name.
func (k entries[E, R]) nameIn(c *gin.Context, verb string) (string, error) {
	if c.Param("name") != "" {
		return k.addressed(c, verb)
	}
	var in api.NameRequest
	err := readBody(k.Console, c, &in, &in.Name, k.doing(verb))
	if err == nil && in.Name == "" {
		err = app.Invalid("The request names nothing.", `Send {"name": …}.`)
	}
	return in.Name, err
}

// addressed is the name in the address.
func (k entries[E, R]) addressed(c *gin.Context, verb string) (string, error) {
	if !k.KeepsSettings() {
		return "", app.NoSettings()
	}
	name, err := app.SettingName(c)
	note(k.Console, c, k.doing(verb), name)
	return name, err
}

// make makes an entry of a request, or returns everything that is wrong with it.
func (k entries[E, R]) make(r R, before E) (E, error) {
	entry, fields := k.check(r, before)
	if len(fields) > 0 {
		p := app.InvalidAs(k.words().wrong, i18n.Lang.ProblemWrongFieldsHint)
		p.Fields = fields
		return entry, p
	}
	switch err := k.connections().Allowed(entry); {
	case errors.Is(err, outbound.ErrForbidden):
		return entry, app.AddressForbidden(err)
	case err != nil:
		text := func(l i18n.Lang) (string, string) { return err.Error(), l.ProblemNothingConnected() }
		return entry, app.Invalid("", "").Said(text)
	}
	return entry, nil
}

// insert stores a new entry.
func (k entries[E, R]) insert(c *gin.Context, entry E) error {
	name := k.name(entry)
	if name == app.DefaultRegistry {
		return app.SettingExists(k.words().noun, name)
	}
	ctx, cancel := k.Reading(c)
	defer cancel()
	switch err := k.add(ctx, entry); {
	case errors.Is(err, stored.ErrExists):
		return app.SettingExists(k.words().noun, name)
	case err != nil:
		return app.SettingProblem(err, nil)
	}
	return nil
}

// entered reads the stored entry of a name, to change or remove it.
func (k entries[E, R]) entered(c *gin.Context, name string) (entry E, err error) {
	if name == app.DefaultRegistry {
		return entry, app.SettingFixed(k.words().noun)
	}
	ctx, cancel := k.Reading(c)
	defer cancel()
	return k.find(ctx, name)
}

// update stores a changed entry.
func (k entries[E, R]) update(c *gin.Context, entry E) error {
	ctx, cancel := k.Reading(c)
	defer cancel()
	return k.done(k.name(entry), k.stored(k.Options().Settings).Change(ctx, entry))
}

// drop removes an entry.
func (k entries[E, R]) drop(c *gin.Context, name string) error {
	if name == app.DefaultRegistry {
		return app.SettingFixed(k.words().noun)
	}
	ctx, cancel := k.Reading(c)
	defer cancel()
	return k.done(name, k.stored(k.Options().Settings).Remove(ctx, name))
}

// done closes the connection to an entry that was changed or removed; err is why it was not.
func (k entries[E, R]) done(name string, err error) error {
	if err != nil {
		return app.SettingProblem(err, k.words().absent(name))
	}
	k.connections().Forget(name)
	return nil
}

// try connects to an entry, and ends the connection.
func (k entries[E, R]) try(c *gin.Context, entry E) error {
	ctx, cancel := context.WithTimeout(c.Request.Context(), k.Options().ActionTimeout)
	defer cancel()
	if _, err := k.probe(ctx, i18n.English, entry); err != nil {
		return k.words().problem(k.name(entry), err)
	}
	return nil
}

// wrongFields collects the fields of a request that are wrong.
type wrongFields []api.FieldBody

func (w *wrongFields) add(field, value, want string) {
	*w = append(*w, api.FieldBody{Field: field, Value: view.Clip(value, 200), Want: want})
}

// secret is the given secret, or the stored one if none is given. The field is wrong if the stored
// secret would be sent to another address.
func (w *wrongFields) secret(field string, given *string, before string, moved bool, want string) string {
	switch {
	case given != nil:
		return *given
	case before != "" && moved:
		w.add(field, "", want)
		return ""
	}
	return before
}

// secretIn is the secret in a form; nil if the stored one stays.
func secretIn(v url.Values, field, without, before string) *string {
	given := v.Get(field)
	if given == "" && before != "" && v.Get(without) != "yes" {
		return nil
	}
	return &given
}
