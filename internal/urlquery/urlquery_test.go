package urlquery

import "testing"

func TestW14Escape(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                                "",
		"a=1&b=x+y&c[]=/?:@%20%2f":        "a=1&b=x+y&c[]=/?:@%20%2f",
		"city=São Paulo":                  "city=S%C3%A3o%20Paulo",
		"q=报表😀":                           "q=%E6%8A%A5%E8%A1%A8%F0%9F%98%80",
		`rate=5%&x=%z1&"<>\^{|}#` + "`%2": "rate=5%25&x=%25z1&%22%3C%3E%5C%5E%7B%7C%7D%23%60%252",
	} {
		if got := Escape(query); got != want || Escape(got) != got {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}
