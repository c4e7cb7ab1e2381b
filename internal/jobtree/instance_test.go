package jobtree

import (
	"errors"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
)

func TestK08InstanceNode(t *testing.T) {
	info := InstanceInfo{ID: "10.0.0.1@-@123", ServerIP: "10.0.0.1"}
	if got, want := string(EncodeInstance(info)), "jobInstanceId: 10.0.0.1@-@123\nserverIp: 10.0.0.1\n"; got != want {
		t.Errorf("EncodeInstance = %q, want %q", got, want)
	}
	info.Labels = "a,b"
	want := "jobInstanceId: 10.0.0.1@-@123\nlabels: a,b\nserverIp: 10.0.0.1\n"
	if got := string(EncodeInstance(info)); got != want {
		t.Errorf("EncodeInstance = %q, want %q", got, want)
	}
	got, ok, err := DecodeInstance([]byte(want))
	if err != nil || !ok || got != info {
		t.Errorf("DecodeInstance = %+v, %t, %v", got, ok, err)
	}
}

func FuzzDecodeInstance(f *testing.F) {
	for _, seed := range []string{"", "TRIGGER", "jobInstanceId: a@-@1\nserverIp: a\n", "{}", "[", "jobInstanceId: {}\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		info, ok, err := DecodeInstance(data)
		if err != nil && (ok || !errors.Is(err, javayaml.ErrMalformed)) {
			t.Fatalf("%+v, %t, %v", info, ok, err)
		}
	})
}
