package jobtree

// MaxShown is how much of a node's text lists and details show, in characters.
// Names of instances, addresses and descriptions that are meant are shorter. A
// longer text is an accident or an attack: repeated for each shard or each job it
// would make an answer of megabytes.
const MaxShown = 300

// Shown is a node's text as lists and details show it: at most [MaxShown]
// characters, the last of them an ellipsis if some are missing.
func Shown(text string) string { return Clip(text, MaxShown) }

// Clip shortens a text to at most n characters, n at least 1. It looks at no
// more of the text than it keeps.
func Clip(text string, n int) string {
	if len(text) <= n { // in bytes, of which a character has one or more
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
