// Package zktest gives tests real ZooKeeper servers, runs one test against the in-process server
// and a real one, and prints trees for comparison with golden files.
//
//	            ┌─ "fake": zkfake on a loopback port
//	Each(t, fn) ┤
//	            └─ "real": ZooKeeper 3.8 from the distribution's packages
//
// [StartZooKeeper] starts a test's own server that it can kill, pause or restart; [EachOwn] does so
// for both kinds of servers. [Each] shares one real server among all tests of a binary, or of all
// packages that internal/testgate runs, and [Namespace] keeps the tests apart. [Collect] and
// [Formatter.Format] turn a tree into text. Trees with the same meaning give the same text: owners
// are numbered in order of appearance, sequence numbers and unique ids are masked, and zxids and
// times are left out.
//
// A real server needs the packages zookeeper and a Java runtime. If they are missing, the test
// fails and names them.
package zktest
