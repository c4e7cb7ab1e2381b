// Package past explains what a job did at a time that has passed: whether it was due,
// whether it ran, why not as far as that is known, and what is not known.
//
//	schedule as it is now ─┐
//	runs around the time ──┤
//	instances: members ────┼─▶ Explain ─▶ Past{Verdict, Heading, Reasons, Unknown, Around}
//	audit ─────────────────┘
//
// # Guarantees
//
//   - What is said is concluded from what is on record. What is not on record is listed
//     as unknown, and never taken for nothing.
//   - Nothing is read and no clock is asked: the same input has the same answer.
package past
