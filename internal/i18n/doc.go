// Package i18n holds every word of the console's pages, in English and Chinese.
//
//	en.toml ─┐
//	         ├─ go generate ─► messages_gen.go: a method of [Lang] for each message
//	zh.toml ─┘
//	cookie, Accept-Language ─► [With] ─► context ─► [From] ─► Lang ─► t.FrameSignOut()
//
// A message is a method, so the compiler checks its name and its parameters. In a table, write it
// as a method expression:
//
//	map[State]func(i18n.Lang) string{Failing: i18n.Lang.StateFailing}
//
// A template says
//
//	{{ t := i18n.From(ctx) }}
//	<h2>{ t.OverviewAttention() }</h2>
//
// and a handler i18n.From(c.Request.Context()).
//
// # Catalogues
//
// A table of the file is an area of pages, and a key in it a message: sign_out
// of [frame] is FrameSignOut. Messages are a small part of ICU's:
//
//	"In {place}"                                      a text
//	"{n, number} rows"                                a number: 1,204
//	"{n, plural, one {# shard} other {# shards}}"     a number and its form; # is the number
//	"{n, plural, one {# shard} other {# shards}} of {job}"
//
// Chinese has the form "other" alone. The generator refuses catalogues whose
// keys or placeholders differ. After a change run make generate.
//
// Answers of the REST interface are English, always.
package i18n
