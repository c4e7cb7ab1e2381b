// Package editor knows a job's configuration as people edit it: by its keys, in a
// form or as text. It is pure: whoever calls it reads and stores.
//
//	form, JSON or text ─► Apply, Read ─► configuration ─┬─► Lines: stored and new, side by side
//	                                                   ├─► Effects: what happens when it is saved
//	      somebody else saved meanwhile ─► Merge ──────┘
//
// Nothing that somebody typed is lost: a merge leaves what both have changed as
// conflicts, with both values. What nobody here knows, such as blocks of other
// programs, stays in the stored document byte for byte.
package editor
