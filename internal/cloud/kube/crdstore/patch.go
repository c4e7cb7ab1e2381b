package crdstore

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// patchOf returns the merge patch that turns before into after. It only has differences, so unknown
// fields stay. stored is the object itself with the fields of newer versions.
func patchOf(before, after, stored map[string]any) map[string]any {
	patch := make(map[string]any)
	for key := range before {
		if _, there := after[key]; !there {
			patch[key] = nil
		}
	}
	for key, value := range after {
		if old, there := before[key]; !there || !reflect.DeepEqual(old, value) {
			patch[key] = patchValue(before[key], value, stored[key])
		}
	}
	return patch
}

func patchValue(before, after, stored any) any {
	switch now := after.(type) {
	case map[string]any:
		was, known := before.(map[string]any)
		if has, there := stored.(map[string]any); known && there {
			return patchOf(was, now, has)
		}
	case []any:
		was, _ := before.([]any)
		if has, _ := stored.([]any); len(was) == len(has) {
			return keepEntries(was, now, has)
		}
	}
	return after
}

// keepEntries returns the new list with unchanged entries in their stored form, because a merge
// patch replaces whole lists.
func keepEntries(before, after, stored []any) []any {
	at := make(map[string]int, len(before))
	for i, entry := range before {
		if text, err := json.Marshal(entry); err == nil {
			at[string(text)] = i
		}
	}
	list := slices.Clone(after)
	for i, entry := range after {
		if text, err := json.Marshal(entry); err == nil {
			if old, there := at[string(text)]; there {
				list[i] = stored[old]
			}
		}
	}
	return list
}

// merged applies a merge patch as in RFC 7386.
func merged(target, patch map[string]any) map[string]any {
	result := maps.Clone(target)
	if result == nil {
		result = make(map[string]any)
	}
	for key, value := range patch {
		switch v := value.(type) {
		case nil:
			delete(result, key)
		case map[string]any:
			old, _ := result[key].(map[string]any)
			result[key] = merged(old, v)
		default:
			result[key] = v
		}
	}
	return result
}
