// Command console is the server of ElasticJob for Go: the web console, its demo, and the commands
// that a server needs. The command line for operators and agents is cmd/elasticjob.
//
//	console demo      everything in one terminal: registry, database, console, three agents
//	console serve     the console for a real ZooKeeper ensemble and database
//	console migrate   bring the trace tables up to date, or tell how they are
//	console doctor    look for faults in the console's settings, ZooKeeper and tables
//	console health    ask a running console whether it is ready (for containers)
//	console storybook every component of the pages, with sample data
//	console licenses  the licences of what is linked into it
//	console version   what this binary is
//
// This package owns what belongs to a process and to nothing else: flags and
// environment, signals, exit codes, the order of starting and stopping. The
// rest it only wires.
//
//	main ── cli.Program ──▶ serve ──▶ site: listener, database, registry, pages
//	              │           ▲
//	              └──▶ demo ──┴──▶ in-process registry, shop, fleet of agents
//
// Exit codes: 0 is a clean end, a signal included; 1 a failure; 2 a wrong command line, where starting
// again won't help. Every failure is reported on standard error as a line with the value and a line
// with the remedy.
package main
