// Package usererror freezes the errors and panic values of user code, so that nothing
// calls their methods outside of the boundary where the code was called.
//
//	user code ──▶ error ──▶ Freeze ──▶ text and chain, read once under recover
//	                                     │
//	          Error, errors.Is, errors.As ◀── engine, logs, history
//
// An error is user code, too. Its Error, Is, As and Unwrap methods may panic; a typed nil
// pointer that is returned as an error does. Without Freeze the panic comes wherever the
// error is logged or compared first, and there it looks like a bug of the engine.
//
// # Guarantees
//
//   - No method of a frozen error panics.
//   - Error and Unwrap of the user's error are called by Freeze only. Is and As are called
//     later, under recover.
//   - A frozen error matches what the user's error matches, with errors.Is and errors.As.
//     An As method that reports a match without setting its target doesn't count.
//   - A text has at most 64 KiB, because logs, errors and the history copy it. A longer one
//     ends with its length.
package usererror

import (
	"fmt"
	"reflect"
	"strings"
)

// maxChain bounds the errors of one chain: an Unwrap method may return its own receiver.
const maxChain = 100

// maxText bounds a text, in bytes.
const maxText = 64 << 10

// frozen is an error of user code whose text and chain were read.
type frozen struct {
	text  string
	chain []error // the error and those that it wraps
}

// Freeze reads an error of user code once. What names the call that returned it, for the
// text of an error that has none.
func Freeze(what string, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := err.(*frozen); ok {
		return f
	}
	return &frozen{text: textOf(what, err), chain: appendChain(nil, err)}
}

// Error returns the text of the user's error as it was when it was returned.
func (f *frozen) Error() string { return f.text }

// Is implements the method that errors.Is looks for.
func (f *frozen) Is(target error) bool {
	for _, err := range f.chain {
		if is(err, target) {
			return true
		}
	}
	return false
}

func is(err, target error) (same bool) {
	defer func() {
		if recover() != nil {
			same = false
		}
	}()
	if reflect.TypeOf(target).Comparable() && err == target {
		return true
	}
	matcher, ok := err.(interface{ Is(error) bool })
	return ok && matcher.Is(target)
}

// As implements the method that errors.As looks for.
func (f *frozen) As(target any) bool {
	for _, err := range f.chain {
		if as(err, reflect.ValueOf(target).Elem()) {
			return true
		}
	}
	return false
}

func as(err error, target reflect.Value) (set bool) {
	defer func() {
		if recover() != nil {
			set = false
		}
		if !set {
			target.SetZero()
		}
	}()
	if reflect.TypeOf(err).AssignableTo(target.Type()) {
		target.Set(reflect.ValueOf(err))
		return true
	}
	matcher, ok := err.(interface{ As(any) bool })
	if !ok || !matcher.As(target.Addr().Interface()) {
		return false
	}
	kind := target.Kind()
	return kind != reflect.Pointer && kind != reflect.Interface || !target.IsNil()
}

// appendChain appends an error and what it wraps.
func appendChain(chain []error, err error) []error {
	if err == nil || len(chain) == maxChain {
		return chain
	}
	if f, ok := err.(*frozen); ok {
		return append(chain, f.chain[:min(len(f.chain), maxChain-len(chain))]...)
	}
	chain = append(chain, err)
	for _, wrapped := range unwrap(err) {
		chain = appendChain(chain, wrapped)
	}
	return chain
}

func unwrap(err error) (wrapped []error) {
	defer func() {
		if recover() != nil {
			wrapped = nil
		}
	}()
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	}
	return nil
}

func textOf(what string, err error) (text string) {
	defer func() {
		if value := recover(); value != nil {
			text = fmt.Sprintf("%s returned an error whose Error method panicked: %s", what, PanicText(value))
			if v := reflect.ValueOf(err); v.Kind() == reflect.Pointer && v.IsNil() {
				text += fmt.Sprintf("; the error is a nil %T, and a nil pointer in an error is not a nil error", err)
			}
		}
	}()
	return clipped(err.Error())
}

// clipped returns the beginning of a text that is too long.
func clipped(text string) string {
	if len(text) <= maxText {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes in all)", strings.ToValidUTF8(text[:maxText], ""), len(text))
}

// PanicText returns the text of a value that recover returned. The value may be hostile,
// too: its methods may panic.
func PanicText(value any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a value of type %T, whose text can't be read because that panics as well", value)
		}
	}()
	return clipped(fmt.Sprint(value))
}
