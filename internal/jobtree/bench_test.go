package jobtree

import "testing"

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
