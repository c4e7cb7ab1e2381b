package i18n

import "testing"

func TestNegotiate(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]Lang{
		"":                                 English,
		"de-DE,de;q=0.9":                   English,
		"zh-CN,zh;q=0.9,en;q=0.8":          Chinese,
		"zh-Hant-TW":                       Chinese,
		"en-GB,en;q=0.9,zh;q=0.8":          English,
		"fr, zh;q=0.3, en;q=0.2":           Chinese,
		"en;q=0.1,zh;q=0.2":                Chinese,
		"zh;q=0":                           English,
		"zh;q=purple, en;q=0.1":            English,
		"*":                                English,
		", ;q=1, zh_CN ; q=0.5, en; q=0.4": Chinese,
	} {
		if got := Negotiate(accept); got != want {
			t.Errorf("Negotiate(%q) = %s, want %s", accept, got.Tag(), want.Tag())
		}
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	if got := From(t.Context()); got != English {
		t.Errorf("without a choice: %s", got.Tag())
	}
	if got := From(With(t.Context(), Chinese)); got != Chinese || got.Tag() != "zh-CN" || got.Name() != "中文" {
		t.Errorf("with a choice: %s %s", got.Tag(), got.Name())
	}
	for _, l := range Languages {
		if parsed, ok := Parse(l.Tag()); !ok || parsed != l {
			t.Errorf("Parse(%q) = %v, %t", l.Tag(), parsed, ok)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -12: "-12"} {
		if got := number(n); got != want {
			t.Errorf("number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		values []string
		want   string
	}{
		{"", nil, ""},
		{"{1} on {0}.", []string{"a", "b"}, "b on a."},
		{"{0}{0}", []string{"{1}"}, "{1}{1}"},
	} {
		if got := fill(c.text, c.values...); got != c.want {
			t.Errorf("fill(%q, %q) = %q, want %q", c.text, c.values, got, c.want)
		}
	}
	if one, two, chinese := English.plural(1, "a", "b", "c"), English.plural(2, "a", "b", "c"), Chinese.plural(1, "a", "b", "c"); one+two+chinese != "abc" {
		t.Errorf("%s %s %s", one, two, chinese)
	}
}
