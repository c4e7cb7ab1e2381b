// Command console is the program of ElasticJob for Go: the web console, its
// demo and what an operator needs around them.
//
//	console demo      everything in one terminal: registry, database, console, three agents
//	console serve     the console for a real ZooKeeper ensemble and database
//	console agent     an agent for the SCRIPT and HTTP jobs of a YAML file
//	console migrate   bring the trace tables up to date, or tell how they are
//	console job       request runs of jobs at a running console, wait for them, cancel them
//	console doctor    look for faults in tables, ZooKeeper, a job file and the console's settings
//	console health    ask a running console whether it is ready (for containers)
//	console storybook every component of the pages, with sample data
//	console licenses  the licences of what is linked into it
//	console version   what this binary is
//
// This package owns what belongs to a process and to nothing else: flags and
// environment, signals, exit codes, the order of starting and stopping. The
// rest it only wires.
//
//	main ── signals ──▶ run ──▶ parse ──▶ serve ──▶ site: listener, database, registry, pages
//	                             │                   ▲
//	                             ├──────▶ demo ──────┤
//	                                        └──▶ in-process registry, shop, fleet of agents
//	                             └──────▶ agent ─ jobfile ─▶ coreagent ─ events ─▶ database
//
// Exit codes: 0 is a clean end, a signal included; 1 a failure; 2 a wrong
// command line or job file, where starting again will not help; 3, 4 and 5 say
// how a run ended that a command has waited for. Every failure is reported on standard error as one line that names
// the value and one that names the remedy.
package main
