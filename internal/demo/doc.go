// Package demo is the small company that `console demo` shows: a mail-order
// bookshop with a warehouse in six cities, eight jobs that keep it going, and
// three servers to run them.
//
//	┌ console demo (one process) ──────────────┐      ┌ agent 127.0.0.11 ┐
//	│ registry   Shop (HTTP on loopback)       │◀────▶│ eight jobs       │
//	│               ▲                          │      └──────────────────┘
//	│ Fleet: starts, watches and stops ────────┼─────▶  agent 127.0.0.12
//	│        the agent processes               │─────▶  agent 127.0.0.13
//	└──────────────────────────────────────────┘
//
// The agents are processes of their own, so that killing one is real. Each
// announces an address of its own, so that they look like three servers.
//
// Agents live as long as their standard input: the [Fleet] holds the other end
// of that pipe, so that they end even when the demo itself is killed.
package demo
