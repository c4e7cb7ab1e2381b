package main

import (
	"fmt"
	"os"
	"time"
)

// idleFor is how long the console is left alone before its memory is read.
const idleFor = 10 * time.Second

// start measures how soon the demo shows a page, the size of the binary, and the memory of a
// console without work.
func start(b *bench) {
	var seconds []float64
	for range 5 {
		c := b.launch("demo")
		seconds = append(seconds, time.Since(c.began).Seconds())
		c.end(os.Interrupt)
	}
	b.atMost("first-page", "s", 3, "from the start of `console demo` with an empty data folder to the first 200 of /login", seconds...)
	b.atMost("binary-size", "MB", 62, "`make build`; the goal of ElasticJob-Cloud, 40 without its client of Kubernetes", float64(must(os.Stat(b.console)).Size())/1e6)

	s := b.newScene()
	defer s.end()
	c := b.launch("serve", "--zookeeper="+s.Addr(), "--namespace=bench")
	defer c.end(os.Interrupt)
	b.pause(idleFor)
	b.atMost("console-rss-idle", "MB", 60, fmt.Sprintf("resident memory of `console serve` with an empty registry and SQLite, %v after its first page", idleFor), c.usage().resident/1e6)
}
