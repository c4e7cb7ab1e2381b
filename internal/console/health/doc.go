// Package health words the state of a job in the reader's language: a reason of a few words
// and a sentence. Package explain decides about the state.
//
//	statistics.Job, explain.Digest ─▶ explain.Judge ─▶ Judge ─▶ Health{State, Reason, Sentence}
//
// A reason has at most five words. Nothing is read and no clock is asked: the same input has
// the same answer.
package health
