// Package timers has the future work of an agent and bounds how much of it is done
// at once.
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
//   - A timer fires once for each time it is set, never before that time by the wall
//     clock, and never after Stop has returned, unless it was about to.
//   - A timer that measures a span of time fires after that span, also when the wall
//     clock is set meanwhile. One of a calendar is asked to look again when the clock
//     was set back, and is found due when it was set forward.
//   - All timers share one goroutine. An idle timer costs a place in the heap.
//   - At most as many places are taken as [Admission.Enter] was given, and each is
//     given up after a second: whoever waits for somebody else holds nobody up.
package timers
