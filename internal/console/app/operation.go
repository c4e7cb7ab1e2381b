package app

import "net/http"

// Operation documents a route of the REST interface. Answers that follow from the route itself,
// such as 401 without a session, aren't repeated here.
type Operation struct {
	Summary string
	// Query are the parameters of the query string, name and meaning.
	Query [][2]string
	// Request is a body of the type that is sent, and Example one as JSON; nil and empty if
	// there is none.
	Request any
	Example string
	// Answer is a body of the type that a success has; nil for none.
	Answer any
	// Status is the status of a success; 0 means 200, or 204 without an answer. Also is
	// another one with the same answer, 0 for none.
	Status, Also int
	// Headers are those that a request may have, name and meaning.
	Headers [][2]string
	// Refusals are the other answers it can have.
	Refusals []int
	// Reporter means that it wants the token of a process of a DAEMON job.
	Reporter bool
}

// Success is the status of an answer that isn't a refusal.
func (o Operation) Success() int {
	switch {
	case o.Status != 0:
		return o.Status
	case o.Answer == nil:
		return http.StatusNoContent
	}
	return http.StatusOK
}

// With is the operation with parameters of the query string, the wrong values of which are refused.
func (o Operation) With(query [][2]string) Operation {
	o.Query, o.Refusals = query, append(o.Refusals, http.StatusUnprocessableEntity)
	return o
}

// Documented is the route with its documentation.
func (r Route) Documented(o Operation) Route {
	r.operation = o
	return r
}

// Operation documents the route; its zero value means that the route brings no documentation.
func (r Route) Operation() Operation { return r.operation }
