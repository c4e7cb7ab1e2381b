package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/outbound"
)

// ErrNoAnswer means that a process didn't answer a direct request.
var ErrNoAnswer = errors.New("no answer from the process")

const (
	// dumpLimit bounds a dump request, from dialling to the last byte.
	dumpLimit = 5 * time.Second
	// MaxDump bounds the bytes read of a dump. The rest is cut off.
	MaxDump = 8 << 20
	// MinDumpPort prevents dump requests to the system's own services, because anyone who writes to
	// the registry can make us connect to a port.
	MinDumpPort = 1024
)

// Dump asks the dump service of a process for its view of a job's tree. It only connects to the
// address of a live instance of the job, and returns ErrNotFound for any other. It returns
// ErrNoAnswer if no process listens on the port or the answer isn't complete after 5 seconds.
func (o *Operator) Dump(ctx context.Context, job, ip string, port int) (string, error) {
	act := action{"dump", job, ip}
	if err := checkIP(act, ip); err != nil {
		return "", err
	}
	if port < MinDumpPort || port > 65535 {
		return "", act.fail(ErrInvalid, "", "port %d is outside %d to 65535", port, MinDumpPort)
	}
	paths, _, err := o.job(ctx, act)
	if err != nil {
		return "", err
	}
	live, err := o.instances(ctx, paths)
	if err != nil {
		return "", act.wrap(err)
	}
	if !slices.ContainsFunc(live, func(i instance) bool { return i.ip == ip }) {
		return "", act.fail(ErrNotFound, "the page of the job lists its instances", "no live instance of the job has the address %s", ip)
	}
	// Anyone who writes to the registry can register any address there.
	addr, err := netip.ParseAddr(ip)
	if err != nil || outbound.Special(addr) && !addr.IsLoopback() || strings.ContainsAny(job, "\r\n") {
		return "", act.fail(ErrInvalid, "", "%s is not a host address", ip)
	}
	text, err := o.ask(ctx, netip.AddrPortFrom(addr, uint16(port)).String(), "dump@"+job+"\n")
	if err != nil {
		return "", act.fail(ErrNoAnswer, "the dump service is off unless the process configures it, and listens on loopback by default", "port %s: %w", strconv.Itoa(port), err)
	}
	return text, nil
}

func (o *Operator) ask(ctx context.Context, addr, line string) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, dumpLimit)
	defer cancel()
	conn, err := o.dial(ctx, "tcp", addr)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	// Also stop if the caller gives up earlier.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := io.WriteString(conn, line); err != nil {
		return "", err
	}
	raw, err := io.ReadAll(io.LimitReader(conn, MaxDump))
	if ctx.Err() != nil {
		return "", fmt.Errorf("the answer was not complete after %v", dumpLimit)
	}
	return strings.ToValidUTF8(string(raw), "�"), err
}
