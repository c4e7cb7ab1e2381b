package errorhandler

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var mailProps = map[string]string{
	"email.host": "127.0.0.1", "email.port": "465", "email.username": "jobs", "email.password": "s3cr3t-pass",
	"email.from": "jobs@example.com", "email.to": "ops@example.com",
}

func TestLogThrowIgnore(t *testing.T) {
	t.Parallel()
	set, log := newSet(t, Options{})
	for _, typeName := range []string{"", "LOG", "IGNORE"} {
		handle(t, mustNew(t, set, typeName, nil), fmt.Errorf("under %q: %w", typeName, errJob))
	}
	contains(t, log.String(), `level=ERROR msg="Job 'invoices' exception occur in job processing" job=invoices err="under \"\": no connection`, `under \"LOG\"`)
	lacks(t, log.String(), "IGNORE")

	err := mustNew(t, set, "THROW", nil).Handle(t.Context(), "invoices", errJob)
	if thrown, ok := errors.AsType[*ThrownError](err); !ok || thrown.Job != "invoices" || !errors.Is(err, errJob) {
		t.Errorf("THROW returned %v", err)
	}
	if want := "Job 'invoices' exception occur in job processing: no connection to the warehouse"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestUnknownType(t *testing.T) {
	t.Parallel()
	set, _ := newSet(t, Options{})
	for _, typeName := range []string{"PAGER", "log"} {
		_, err := set.New(typeName, nil)
		if unknown, ok := errors.AsType[*UnknownTypeError](err); !ok || unknown.Type != typeName {
			t.Errorf("%s: got %v", typeName, err)
		} else if want := "Cannot find job error handler type '" + typeName + "'. Allowed types: DINGTALK, EMAIL, IGNORE, LOG, THROW, WECHAT (empty means LOG)."; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
}

func TestProperties(t *testing.T) {
	t.Parallel()
	set, _ := newSet(t, Options{})
	wechat := map[string]string{"wechat.webhook": "http://localhost/send?key=abc"}
	dingtalk := map[string]string{"dingtalk.webhook": "http://localhost/send?access_token=abc"}
	for _, test := range []struct {
		typeName string
		props    map[string]string
		want     []string
	}{
		{"EMAIL", mailProps, nil},
		{"EMAIL", with(mailProps, "email.username", "", "email.password", ""), nil},
		{"EMAIL", with(mailProps, "email.port", "+25"), nil},
		{"EMAIL", with(mailProps, "email.to", "not an address"), nil}, // as in Java, found when a mail is sent
		{"EMAIL", nil, []string{
			"The property `email.host` is required.", "The property `email.port` is required.",
			"The property `email.username` is required.", "The property `email.password` is required.",
			"The property `email.from` is required.", "The property `email.to` is required.",
		}},
		{"EMAIL", without(mailProps, "email.password"), []string{"The property `email.password` is required."}},
		{"EMAIL", with(mailProps, "email.host", " "), []string{"The property `email.host` is required."}},
		{"EMAIL", with(mailProps, "email.port", "smtp"), []string{"The property `email.port` should be integer. It is \"smtp\"."}},
		{"EMAIL", with(mailProps, "email.port", ""), []string{"The property `email.port` should be integer. It is \"\"."}},
		{"EMAIL", with(mailProps, "email.port", "0"), []string{"The property `email.port` should be positive. It is \"0\"."}},
		{"EMAIL", with(mailProps, "email.port", "65536"), []string{"The property `email.port` should not be greater than 65535. It is \"65536\"."}},
		{"WECHAT", wechat, nil},
		{"WECHAT", nil, []string{"The property `wechat.webhook` is required."}},
		{"WECHAT", with(wechat, "wechat.webhook", ""), []string{"The property `wechat.webhook` is required."}},
		{"WECHAT", with(wechat, "wechat.connectTimeoutMilliseconds", "3s", "wechat.readTimeoutMilliseconds", "-1"), []string{
			"The property `wechat.connectTimeoutMilliseconds` should be integer. It is \"3s\".",
			"The property `wechat.readTimeoutMilliseconds` should be positive. It is \"-1\".",
		}},
		{"WECHAT", with(wechat, "wechat.readTimeoutMilliseconds", "2147483648"), []string{"The property `wechat.readTimeoutMilliseconds` should be integer. It is \"2147483648\"."}},
		{"DINGTALK", dingtalk, nil},
		{"DINGTALK", nil, []string{"The property `dingtalk.webhook` is required."}},
		{"DINGTALK", with(dingtalk, "dingtalk.connectTimeoutMilliseconds", "0"), []string{"The property `dingtalk.connectTimeoutMilliseconds` should be positive. It is \"0\"."}},
	} {
		h, err := set.New(test.typeName, test.props)
		if len(test.want) == 0 {
			if err != nil || h == nil {
				t.Errorf("%s %v: %v", test.typeName, test.props, err)
			}
			continue
		}
		if got := fmt.Sprint(err); got != strings.Join(test.want, "\n") {
			t.Errorf("%s %v: got\n%s\nwant\n%s", test.typeName, test.props, got, strings.Join(test.want, "\n"))
		}
	}
}

func TestSecretsInPropertiesAndHandlers(t *testing.T) {
	t.Parallel()
	set, _ := newSet(t, Options{})
	props := with(mailProps,
		"wechat.webhook", "https://qyapi.example.com/cgi-bin/webhook/send?key=wechat-key-1",
		"dingtalk.webhook", "https://oapi.example.com/robot/send?access_token=ding-token-1",
		"dingtalk.secret", "ding-secret-1")
	secrets := []string{"s3cr3t-pass", "wechat-key-1", "ding-token-1", "ding-secret-1"}

	for _, typeName := range []string{"EMAIL", "WECHAT", "DINGTALK"} {
		h := mustNew(t, set, typeName, props)
		lacks(t, fmt.Sprintf("%v %+v %#v %s %q", h, h, h, h, h), secrets...)
	}
}

type custom struct {
	handle func(job string, err error) error
	closed atomic.Int32
}

func (c *custom) Handle(_ context.Context, job string, err error) error { return c.handle(job, err) }

func (c *custom) Close(context.Context) error {
	c.closed.Add(1)
	return errors.New("the pager does not hang up")
}

func TestCustom(t *testing.T) {
	t.Parallel()
	var got string
	pager := &custom{handle: func(job string, err error) error {
		got = job + ": " + err.Error()
		return errors.New("stop")
	}}
	set, log := newSet(t, Options{})
	set = set.With(map[string]Factory{
		"PAGER": func(props map[string]string) (Handler, error) {
			if props["pager.number"] == "" {
				return nil, errors.New("The property `pager.number` is required.")
			}
			return pager, nil
		},
		"BROKEN":  func(map[string]string) (Handler, error) { panic("no factory") },
		"NOTHING": func(map[string]string) (Handler, error) { return nil, nil },
		"PANICS": func(map[string]string) (Handler, error) {
			return &custom{handle: func(string, error) error { panic("no handler") }}, nil
		},
	})
	if diff := cmp.Diff([]string{"BROKEN", "DINGTALK", "EMAIL", "IGNORE", "LOG", "NOTHING", "PAGER", "PANICS", "THROW", "WECHAT"}, set.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if err := mustNew(t, set, "PAGER", map[string]string{"pager.number": "1"}).Handle(t.Context(), "invoices", errJob); err == nil || got != "invoices: no connection to the warehouse" {
		t.Errorf("the user's handler was notified of %q and its answer is %v", got, err)
	}
	for typeName, want := range map[string]string{
		"PAGER":   "error handler PAGER: The property `pager.number` is required.",
		"BROKEN":  "error handler BROKEN: panic: no factory",
		"NOTHING": "error handler NOTHING: the factory returned nothing",
	} {
		if _, err := set.New(typeName, nil); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", typeName, err, want)
		}
	}
	handle(t, mustNew(t, set, "PANICS", nil), errJob)
	contains(t, log.String(), "no connection to the warehouse", `handler=PANICS handler_panic="no handler"`)

	if h, err := set.With(map[string]Factory{"LOG": func(map[string]string) (Handler, error) { return pager, nil }}).New("LOG", nil); err != nil || h == Handler(pager) {
		t.Errorf("LOG is %T, %v", h, err)
	}
	if _, err := set.With(map[string]Factory{"MAIL": nil}).New("PAGER", map[string]string{"pager.number": "1"}); err != nil {
		t.Errorf("a handler of the agent next to one of the job: %v", err)
	}
}

func TestJobHandler(t *testing.T) {
	t.Parallel()
	var made []string
	pagers := map[string]*custom{}
	set, log := newSet(t, Options{})
	set = set.With(map[string]Factory{"PAGER": func(props map[string]string) (Handler, error) {
		number := props["pager.number"]
		if number == "" {
			return nil, errors.New("no number")
		}
		made = append(made, number)
		pagers[number] = &custom{handle: func(string, error) error { return errors.New("paged " + number) }}
		return pagers[number], nil
	}})
	k := set.ForJob("invoices")
	ctx := t.Context()
	if err := k.Handle(ctx, errJob); err != nil {
		t.Errorf("before the first update: %v", err)
	}
	if err := k.Handle(ctx, nil); err != nil {
		t.Errorf("no error to handle: %v", err)
	}
	contains(t, log.String(), "no connection to the warehouse")
	update := func(typeName string, props map[string]string) {
		t.Helper()
		if err := k.Update(ctx, typeName, props); err != nil {
			t.Fatal(err)
		}
	}
	props := map[string]string{"pager.number": "1"}
	update("PAGER", props)
	update("PAGER", map[string]string{"pager.number": "1"}) // no change, so not created again
	props["pager.number"] = "2"                             // the handler has its own copy
	update("PAGER", props)
	if err := k.Handle(ctx, errJob); err == nil || err.Error() != "paged 2" {
		t.Errorf("got %v", err)
	}
	if err := k.Update(ctx, "PAGER", nil); err == nil {
		t.Error("a broken configuration is accepted")
	}
	if err := k.Handle(ctx, errJob); err == nil || err.Error() != "paged 2" {
		t.Errorf("after a broken update the handler is another one: %v", err)
	}
	if diff := cmp.Diff([]string{"1", "2"}, made); diff != "" {
		t.Errorf("handlers made (-want +got):\n%s", diff)
	}
	update("IGNORE", nil)
	if pagers["1"].closed.Load() != 1 || pagers["2"].closed.Load() != 1 {
		t.Error("a replaced handler is not closed once")
	}
	contains(t, log.String(), "could not close a replaced error handler", "the pager does not hang up")
	if err := k.Handle(ctx, errJob); err != nil {
		t.Errorf("IGNORE: %v", err)
	}
	k.Close(ctx)
	k.Close(ctx)
}
