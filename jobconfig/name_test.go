package jobconfig

import (
	"errors"
	"testing"
)

func TestValidateName(t *testing.T) {
	for _, name := range []string{"a", "a.b", "a b", "作业", "50%", "config", "...", "zookeeper"} {
		if err := ValidateName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "a/b", "a@-@b", ".", "..", "a\x00", "a\nb", "\x7f", "😀", "\ue000", "\xff"} {
		if err := ValidateName(name); !errors.Is(err, ErrName) {
			t.Errorf("%q: error %v, want ErrName", name, err)
		}
	}
}
