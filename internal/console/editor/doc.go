// Package editor knows a job's configuration as people edit it: by its keys, in a form or as text.
// It's pure: its callers read and store.
//
//	form, JSON or text ──► FromForm, Apply, FromText ──► configuration ──► Changed, Changes
//	          another editor saved in between ──► Merge ────┘
//
// Nothing that was typed is lost: a merge leaves the keys that both have changed as conflicts, with
// both values. Keys that the console doesn't know, such as blocks of other programs, stay in the
// stored document byte for byte.
package editor
