package coreagent

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/registry"
)

func nicOf(name string, addresses ...string) nic {
	n := nic{name: name}
	for _, a := range addresses {
		n.addresses = append(n.addresses, netip.MustParseAddr(a))
	}
	return n
}

// TestMS30MS31Address: the right one of many addresses is picked, and always the same one. Only the
// beginning of an address is compared if that is asked for.
func TestMS30MS31Address(t *testing.T) {
	t.Parallel()
	eth0 := nicOf("eth0", "10.0.0.1", "10.0.0.9", "fe80::1", "2001:db8::1")
	eth1 := nicOf("eth1", "10.0.0.12", "192.168.7.1")
	eth2 := nicOf("eth2", "10.0.0.123")
	docker := nicOf("docker0", "172.17.0.1")
	bridge := nicOf("br-4711", "172.18.0.1")
	six := nicOf("eth0", "fe80::2", "2001:db8::2", "fd00::2")
	for _, tt := range []struct {
		what string
		wish addressWish
		nics []nic
		want string
	}{
		{"the only one", addressWish{}, []nic{eth0}, "10.0.0.1"},
		{"the last interface, as in ElasticJob", addressWish{}, []nic{eth0, eth1, eth2}, "10.0.0.123"},
		{"not a bridge of containers", addressWish{}, []nic{eth0, docker, bridge}, "10.0.0.1"},
		{"a bridge if there is nothing else", addressWish{}, []nic{docker, bridge}, "172.18.0.1"},
		{"no network", addressWish{}, nil, "127.0.0.1"},
		{"only link-local addresses", addressWish{}, []nic{nicOf("eth0", "169.254.3.3", "fe80::3")}, "127.0.0.1"},
		{"IPv6 where there is no IPv4", addressWish{}, []nic{six}, "2001:db8::2"},
		{"IPv4 before IPv6", addressWish{}, []nic{eth0, six}, "10.0.0.1"},
		{"a bridge's IPv4 before IPv6", addressWish{}, []nic{docker, six}, "172.17.0.1"},
		{"by interface", addressWish{nic: "eth1"}, []nic{eth0, eth1, eth2}, "10.0.0.12"},
		{"by interface, a bridge", addressWish{nic: "docker0"}, []nic{eth0, docker}, "172.17.0.1"},
		{"by beginning", addressWish{pattern: "192.168."}, []nic{eth0, eth1, eth2}, "192.168.7.1"},
		{"by beginning, which more have", addressWish{pattern: "10.0.0.12"}, []nic{eth0, eth1, eth2}, "10.0.0.123"},
		{"by the whole address", addressWish{pattern: "10.0.0.12/32"}, []nic{eth0, eth1, eth2}, "10.0.0.12"},
		{"by network", addressWish{pattern: "10.0.0.0/28"}, []nic{eth0, eth1, eth2}, "10.0.0.12"},
		{"by expression", addressWish{pattern: `.*\.9`}, []nic{eth0, eth1, eth2}, "10.0.0.9"},
		{"by interface and network", addressWish{nic: "eth1", pattern: "192.168.0.0/16"}, []nic{eth0, eth1}, "192.168.7.1"},
		{"IPv6 by network", addressWish{pattern: "fd00::/8"}, []nic{eth1, six}, "fd00::2"},
	} {
		for range 3 {
			if got, err := tt.wish.pick(tt.nics); got != tt.want || err != nil {
				t.Errorf("%s: %q, %v, want %s", tt.what, got, err, tt.want)
			}
		}
	}
}

func TestAddressWishThatCannotBeMet(t *testing.T) {
	t.Parallel()
	eth0 := nicOf("eth0", "10.0.0.1")
	for _, tt := range []struct {
		wish addressWish
		says []string
	}{
		{addressWish{nic: "eth7"}, []string{"Interface", `"eth7"`, "eth0 10.0.0.1"}},
		{addressWish{nic: "eth1"}, []string{"Interface", `"eth1"`, "no address"}},
		{addressWish{pattern: "10.9."}, []string{"AddressPattern", `"10.9."`, "eth0 10.0.0.1"}},
		{addressWish{pattern: "10.0.0.0/99"}, []string{"AddressPattern", `"10.0.0.0/99"`, "10.1.0.0/16"}},
		{addressWish{pattern: "10.("}, []string{"AddressPattern", `"10.("`, "regular expression"}},
	} {
		got, err := tt.wish.pick([]nic{eth0, nicOf("eth1", "fe80::1")})
		for _, part := range tt.says {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%+v: %q, error %v does not contain %s", tt.wish, got, err, part)
			}
		}
	}
	valid := Config{Namespace: "n", ZooKeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:2181"}}}
	for field, cfg := range map[string]Config{
		"Interface":      {Interface: "eth7", Address: "10.0.0.1"},
		"AddressPattern": {AddressPattern: "10.("},
	} {
		cfg.Namespace, cfg.ZooKeeper = valid.Namespace, valid.ZooKeeper
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), field+":") {
			t.Errorf("%s: Validate returns %v", field, err)
		}
	}
	missing := valid
	missing.Interface = "no-such-interface"
	if _, err := New(missing); err == nil || !strings.Contains(err.Error(), "Interface:") {
		t.Errorf("New returns %v", err)
	}
	if agent, err := New(valid); err != nil || netip.MustParseAddr(agent.cfg.Address).IsUnspecified() {
		t.Errorf("New returns %v", err)
	}
}
