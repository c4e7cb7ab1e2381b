// Package timers schedules an agent's future work and limits how much of it runs at once.
//
//	Set, After, Within ──▶ heap ──Run: one goroutine──▶ fn(time it was set for)
//	                        ▲
//	wall clock was set ─────┘ timers of a calendar: rearm; the others keep what is left
//
//	Enter ──▶ a place is free: start ──▶ Do: fn ──▶ returns, or a second passes ──▶ next
//	     └──▶ none is: wait in line
//
// # Guarantees
//
//   - A timer fires once each time it's set, never before that time by the wall clock. It doesn't
//     fire after Stop has returned, unless it was just about to.
//   - A duration timer fires after its duration, even if the wall clock is set in the meantime. A
//     calendar timer is rearmed if the clock was set back, and is due at once if it was set forward
//     past its time.
//   - All timers share one goroutine. An idle timer costs an entry in the heap.
//   - At most as many places are taken as the limit of [Admission.Enter], and each is given up
//     after a second, so a job that waits for another one blocks no others.
package timers
