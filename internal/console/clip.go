package console

// maxNodeText is how much of a text from the tree a list or a detail shows, in
// characters. The names of instances, addresses and settings that are meant are
// shorter; a longer one is an accident or an attack, and repeated per shard or
// per job it would make an answer of megabytes.
const maxNodeText = 300

// clip shortens a text to at most n characters. It looks at no more of it than
// it keeps.
func clip(s string, n int) string {
	if len(s) <= n { // bytes, of which a character has one or more
		return s
	}
	kept, last := 0, 0
	for at := range s {
		if kept == n {
			return s[:last] + "…"
		}
		kept, last = kept+1, at
	}
	return s
}

// clipped is a list with its texts clipped, never nil.
func clipped(list []string) []string {
	short := make([]string, len(list))
	for i, s := range list {
		short[i] = clip(s, maxNodeText)
	}
	return short
}
