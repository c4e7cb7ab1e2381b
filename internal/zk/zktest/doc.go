// Package zktest gives tests real ZooKeeper servers, runs one test against
// the in-process server and a real one, and prints trees for comparison with
// golden files.
//
//	            ┌─ "fake": zkfake on a loopback port
//	Each(t, fn) ┤
//	            └─ "real": ZooKeeper 3.8 from the distribution's packages
//
// [StartZooKeeper] starts a server of its own for tests that kill, pause or
// restart it; [EachOwn] does so for tests of both servers. [Each] shares one real server
// among all tests of a binary, or of all packages that internal/testgate runs;
// [Namespace] keeps them apart. [Collect] and [Formatter.Format] turn a tree into text
// that is equal whenever the trees mean the same: owners are named in the
// order of their appearance, sequence numbers and unique ids are masked, and
// there are no zxids and no times.
//
// A real server needs the packages zookeeper and a Java runtime; a test that
// lacks them fails and says what to install.
package zktest
