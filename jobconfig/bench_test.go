package jobconfig

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
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}
