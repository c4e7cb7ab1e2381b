package usererror_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/usererror"
)

// nilError panics if the pointer is nil.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

// hostile panics in each method, with itself.
type hostile struct{}

func (h hostile) Error() string   { panic(h) }
func (h hostile) Is(error) bool   { panic(h) }
func (h hostile) As(any) bool     { panic(h) }
func (h hostile) Unwrap() []error { panic(h) }

// liar matches everything and sets nothing.
type liar struct{}

func (liar) Error() string { return "liar" }
func (liar) As(any) bool   { return true }

// loop wraps itself, and can't be compared.
type loop struct{ wraps []error }

func (l loop) Error() string   { return "loop" }
func (l loop) Unwrap() []error { return append(l.wraps, l, nil) }

// changing has another text each time.
type changing struct{ n int }

func (c *changing) Error() string { c.n++; return fmt.Sprint("text ", c.n) }

// timeout is an interface that none of the errors has.
type timeout interface {
	error
	Timeout() bool
}

// TestW93FrozenMatchesWhatItWraps, as the user's error does.
func TestW93FrozenMatchesWhatItWraps(t *testing.T) {
	t.Parallel()
	own := &nilError{"own"}
	err := usererror.Freeze("call", fmt.Errorf("read: %w", errors.Join(io.EOF, fmt.Errorf("deeper: %w", own))))
	if got := err.Error(); got != "read: EOF\ndeeper: own" {
		t.Errorf("text %q", got)
	}
	if !errors.Is(err, io.EOF) || !errors.Is(err, own) || errors.Is(err, context.Canceled) {
		t.Error("errors.Is")
	}
	if found, ok := errors.AsType[*nilError](err); !ok || found != own {
		t.Errorf("errors.As found %v", found)
	}
	if found, ok := errors.AsType[*changing](err); ok || found != nil {
		t.Errorf("errors.As found %v", found)
	}
	if again := usererror.Freeze("call", err); again != err {
		t.Error("frozen twice")
	}
	if wrapped := usererror.Freeze("call", fmt.Errorf("again: %w", err)); !errors.Is(wrapped, io.EOF) {
		t.Error("a frozen error that is wrapped and frozen again matches nothing")
	}
	if usererror.Freeze("call", nil) != nil {
		t.Error("nil became an error")
	}
}

// TestW93FrozenNeverPanics whatever the methods of the user's error do.
func TestW93FrozenNeverPanics(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want string // begins the text
	}{
		"typed nil": {(*nilError)(nil), "call returned an error whose Error method panicked: runtime error: invalid memory " +
			"address or nil pointer dereference; the error is a nil *usererror_test.nilError, "},
		"hostile":      {hostile{}, "call returned an error whose Error method panicked: "},
		"liar":         {liar{}, "liar"},
		"loop":         {loop{[]error{hostile{}, (*nilError)(nil)}}, "loop"},
		"changing":     {&changing{}, "text 1"},
		"joined loops": {errors.Join(loop{}, loop{}, io.EOF), "loop\nloop\nEOF"},
	} {
		err := usererror.Freeze("call", c.err)
		for range 2 {
			if got := err.Error(); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: text %q, want %q", name, got, c.want)
			}
		}
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, loop{}) {
			t.Errorf("%s: errors.Is", name)
		}
		if found, ok := errors.AsType[*changing](err); ok != (name == "changing") || ok != (found != nil) {
			t.Errorf("%s: errors.As found %v", name, found)
		}
		if found, ok := errors.AsType[timeout](err); ok || found != nil {
			t.Errorf("%s: errors.As found %v", name, found)
		}
	}
}

// TestW93PanicText of values whose methods panic, with values whose methods panic.
func TestW93PanicText(t *testing.T) {
	t.Parallel()
	values := map[string]any{"out of paper": "out of paper", "<nil>": (*nilError)(nil), "EOF": io.EOF, "hostile": hostile{}}
	for want, value := range values {
		if got := usererror.PanicText(value); !strings.Contains(got, want) {
			t.Errorf("text %q, want %q", got, want)
		}
	}
}

// TestW93LongTextIsClipped: an error or a panic value of megabytes doesn't fill the log.
func TestW93LongTextIsClipped(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<20)
	for name, got := range map[string]string{
		"error":          usererror.Freeze("call", errors.New(long)).Error(),
		"panic value":    usererror.PanicText(long),
		"panicked error": usererror.PanicText(errors.New(long)),
	} {
		if len(got) > 65<<10 || !strings.HasPrefix(got, "éé") || !strings.HasSuffix(got, "é… (2097152 bytes in all)") {
			t.Errorf("%s: %d bytes, which end with %q", name, len(got), got[len(got)-40:])
		}
	}
}
