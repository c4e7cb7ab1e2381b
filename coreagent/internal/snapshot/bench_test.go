package snapshot

import (
	"bytes"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

func BenchmarkMask(b *testing.B) {
	record := []byte("/invoices/sharding/10/instance | 10.0.0.10@-@8 parameter deadbeef\n")
	text := bytes.Repeat(record, (8<<20)/len(record))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		addresses{}.mask(mask.Document(text))
	}
}
