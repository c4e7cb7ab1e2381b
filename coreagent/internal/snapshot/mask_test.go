package snapshot

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestK60MaskAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		// From ElasticJob's own conformance case.
		{"/s/127.0.0.1\n/s/192.168.0.1/h | 192.168.0.1\n/s/192.168.0.11\n/s/192.168.0.111", "/s/ip1\n/s/ip2/h | ip2\n/s/ip3\n/s/ip4"},
		// Java prints ip10 and 2ip3 here.
		{"10.0.0.1 10.0.0.10 10.0.0.1", "ip1 ip2 ip1"},
		{"10.0.0.10 10.0.0.1 110.0.0.1", "ip1 ip2 ip3"},
		{"256.1.1.1", "256.1.1.1"},
		{"1.2.3.256", "1.2.3.256"},
		{"1.2.3.4.5", "1.2.3.4.5"},
		{"1.2.3", "1.2.3"},
		{"1.2.3.", "1.2.3."},
		{"0001.2.3.4", "0001.2.3.4"},
		{"/j/instances/10.0.0.1@-@7938 | jobInstanceId: 10.0.0.1@-@7938", "/j/instances/ip1@-@7938 | jobInstanceId: ip1@-@7938"},
		{"from 10.0.0.1.", "from ip1."},
		{"10.0.0.1:2181,10.0.0.2:2181", "ip1:2181,ip2:2181"},
		{"host10.0.0.1gz", "hostip1gz"},
		{"fe80::1 2001:db8::10:1, fe80::1", "ip1 ip2, ip1"},
		{"/j/servers/2001:db8::1 | ENABLED", "/j/servers/ip1 | ENABLED"},
		{"::1@-@7 [::1]:9888", "ip1@-@7 [ip1]:9888"},
		{"::ffff:10.0.0.1 10.0.0.1", "ip1 ip2"},
		{"up: fe80::1: down", "up: ip1: down"},
		{"at 2026-11-21T09:26:58 and 12:30:45", "at 2026-11-21T09:26:58 and 12:30:45"},
		{"Foo::bar a :: b cron: 0/5 * * * * ?", "Foo::bar a :: b cron: 0/5 * * * * ?"},
		{"00:1b:44:11:3a:b7", "00:1b:44:11:3a:b7"},
		{"", ""},
	} {
		if got := string(addresses{}.mask([]byte(test.text))); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// Each address between separators gets one name, in order, and nothing else changes.
func TestMaskAddressesProperty(t *testing.T) {
	t.Parallel()
	address := rapid.Custom(func(t *rapid.T) string {
		if rapid.Bool().Draw(t, "six") {
			b := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes")
			return netip.AddrFrom16([16]byte(b)).String()
		}
		b := rapid.SliceOfN(rapid.ByteRange(0, 30), 4, 4).Draw(t, "bytes")
		return netip.AddrFrom4([4]byte(b)).String()
	})
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(address, 1, 20).Draw(t, "addresses")
		separator := rapid.SampledFrom([]string{" ", ",", "/", " | ", "@-@", "\n", "(", ", ", "=", ". "}).Draw(t, "separator")
		names := map[string]string{}
		want := make([]string, len(parts))
		for i, p := range parts {
			if names[p] == "" {
				names[p] = fmt.Sprintf("ip%d", len(names)+1)
			}
			want[i] = names[p]
		}
		got := string(addresses{}.mask([]byte(strings.Join(parts, separator))))
		if diff := cmp.Diff(strings.Join(want, separator), got); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", strings.Join(parts, separator), diff)
		}
	})
}

func FuzzMask(f *testing.F) {
	f.Add([]byte("10.0.0.1 fe80::1: 1.2.3.4.5"))
	f.Fuzz(func(t *testing.T, text []byte) {
		once := addresses{}.mask(text)
		if again := (addresses{}).mask(text); string(once) != string(again) {
			t.Errorf("%q is masked as %q and as %q", text, once, again)
		}
	})
}
