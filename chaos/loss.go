package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// insideVariable is set if the campaign has its own network namespace.
const insideVariable = "CHAOS_NAMESPACE"

// losing reports whether packets can be lost, because the campaign has its own network namespace.
func losing() bool { return os.Getenv(insideVariable) != "" }

// enterNamespace restarts the program in its own network namespace, in which the loopback device
// can lose packets. Then it doesn't return. Otherwise it returns why that isn't possible.
func enterNamespace() error {
	if losing() {
		return nil
	}
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		return err
	}
	const probe = "ip link set lo up && tc qdisc add dev lo root netem loss 1%"
	if out, err := exec.Command(unshare, "--net", "sh", "-c", probe).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := append([]string{"unshare", "--net", "sh", "-c", `ip link set lo up && exec "$@"`, "sh", self}, os.Args[1:]...)
	return syscall.Exec(unshare, args, append(os.Environ(), insideVariable+"=1"))
}

// losePackets loses packets between all processes for a while.
func (c *campaign) losePackets(ctx context.Context, r *rand.Rand, note func(string, bool)) {
	tc := func(args ...string) {
		if out, err := exec.Command("tc", append([]string{"qdisc"}, args...)...).CombinedOutput(); err != nil {
			c.trouble("campaign", "tc: %v: %s", err, out)
		}
	}
	note("", false)
	tc("add", "dev", "lo", "root", "netem", "loss", fmt.Sprintf("%d%%", 2+r.IntN(14)))
	pause(ctx, between(r, 3*time.Second, 10*time.Second))
	tc("del", "dev", "lo", "root")
}
