// Package health says in the reader's language how a job is: a reason of a few words and
// a sentence. Package explain decides how it is.
//
//	statistics.Job, explain.Digest ─▶ explain.Judge ─▶ Judge ─▶ Health{State, Reason, Sentence}
//
// A reason has at most five words. Nothing is read and no clock is asked: the same input has
// the same answer.
package health
