package crdstore

import (
	"encoding/json"
	"maps"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// known are the keys of this version in the model below; others are from a newer version.
var known = []string{"a", "b", "c"}

func document(depth int) *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any {
		m := make(map[string]any)
		for _, key := range known {
			switch rapid.IntRange(0, 4).Draw(t, key) {
			case 0:
			case 1:
				m[key] = rapid.StringN(0, 2, 2).Draw(t, "text")
			case 2:
				m[key] = json.Number(rapid.SampledFrom([]string{"0", "1", "12345678901234567890"}).Draw(t, "number"))
			case 3:
				list := []any{}
				for range rapid.IntRange(0, 3).Draw(t, "length") {
					list = append(list, map[string]any{"key": rapid.SampledFrom([]string{"x", "y"}).Draw(t, "entry")})
				}
				m[key] = list
			case 4:
				if depth > 0 {
					m[key] = document(depth-1).Draw(t, "object")
				}
			}
		}
		return m
	})
}

// withNewer returns a document as stored by a newer version, with an additional field in each object and entry.
func withNewer(m map[string]any) map[string]any {
	stored := maps.Clone(m)
	stored["newer"] = "kept"
	for key, value := range m {
		switch v := value.(type) {
		case map[string]any:
			stored[key] = withNewer(v)
		case []any:
			list := make([]any, len(v))
			for i, entry := range v {
				list[i] = withNewer(entry.(map[string]any))
			}
			stored[key] = list
		}
	}
	return stored
}

// withoutNewer returns the part of a document that this version knows.
func withoutNewer(m map[string]any) map[string]any {
	seen := maps.Clone(m)
	delete(seen, "newer")
	for key, value := range seen {
		switch v := value.(type) {
		case map[string]any:
			seen[key] = withoutNewer(v)
		case []any:
			list := make([]any, len(v))
			for i, entry := range v {
				list[i] = withoutNewer(entry.(map[string]any))
			}
			seen[key] = list
		}
	}
	return seen
}

// TestPatchIsTheDifference: a patch between any two documents turns the first into the second,
// keeps the fields of a newer version at every depth, and is empty if they are equal.
func TestPatchIsTheDifference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := document(2).Draw(t, "before"), document(2).Draw(t, "after")
		stored := withNewer(before)
		patch := patchOf(before, after, stored)
		result := merged(stored, patch)
		if got := withoutNewer(result); !reflect.DeepEqual(got, after) {
			t.Fatalf("the patch %v makes %v of %v; want %v", patch, got, before, after)
		}
		if reflect.DeepEqual(before, after) != (len(patch) == 0) {
			t.Fatalf("the patch between %v and %v is %v", before, after, patch)
		}
		keeps(t, before, after, result)
		if !reflect.DeepEqual(stored, withNewer(before)) {
			t.Fatalf("the stored document was changed: %v", stored)
		}
	})
}

// keeps checks that everything in both documents still has its newer field.
func keeps(t *rapid.T, before, after, result map[string]any) {
	if result["newer"] != "kept" {
		t.Fatalf("a field of a newer version was lost: %v", result)
	}
	for key, value := range after {
		switch now := value.(type) {
		case map[string]any:
			if was, ok := before[key].(map[string]any); ok {
				keeps(t, was, now, result[key].(map[string]any))
			}
		case []any:
			was, _ := before[key].([]any)
			for i, entry := range now {
				for _, old := range was {
					if reflect.DeepEqual(old, entry) && result[key].([]any)[i].(map[string]any)["newer"] != "kept" {
						t.Fatalf("entry %d of %s has lost a field of a newer version: %v", i, key, result)
					}
				}
			}
		}
	}
}
