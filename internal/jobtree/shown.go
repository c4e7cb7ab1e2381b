package jobtree

// MaxShown is the longest text of a node in lists and details, in characters. Real names, addresses
// and descriptions are shorter. A longer text is an accident or an attack, and repeated for each
// shard or job it would make an answer of megabytes.
const MaxShown = 300

// Shown returns a node's text for lists and details: at most [MaxShown] characters, with an
// ellipsis as the last one if the text was cut.
func Shown(text string) string { return Clip(text, MaxShown) }

// Clip shortens a text to at most n characters, n at least 1. It reads no more of the text than it
// keeps.
func Clip(text string, n int) string {
	if len(text) <= n { // bytes; a character has at least one
		return text
	}
	kept, last := 0, 0
	for at := range text {
		if kept == n {
			return text[:last] + "…"
		}
		kept, last = kept+1, at
	}
	return text
}
