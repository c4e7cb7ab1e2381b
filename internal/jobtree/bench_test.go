package jobtree

import (
	"os"
	"testing"
)

func BenchmarkDecodeConfig(b *testing.B) {
	data, err := os.ReadFile("testdata/java/full.yaml")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeConfig(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeInstance(b *testing.B) {
	data := EncodeInstance(InstanceInfo{ID: "10.0.0.1@-@4242", ServerIP: "10.0.0.1"})
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := DecodeInstance(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPath(b *testing.B) {
	ns, err := NewNamespace("billing")
	if err != nil {
		b.Fatal(err)
	}
	job := ns.Job("invoices")
	b.ReportAllocs()
	for b.Loop() {
		_ = job.ItemRunning(7)
	}
}
