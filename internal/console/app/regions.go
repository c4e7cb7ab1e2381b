package app

import (
	"bytes"
	"hash/fnv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// A page that is open asks for its own address with [RegionHeader], and gets those of
// its regions that are not as it has them: an element with data-region, and its rows,
// which have data-row. Each carries the fingerprint of its content, by which the page says
// what it has: "jobs.1x8f" in If-None-Match, "r7.9k2c" in [RowsHeader].
//
//	page, rendered as always ─▶ its regions ─▶ without those that the page has ─▶ rows it has, as empty ones
//	                                              └ nothing left: 304
const (
	// RegionHeader has the names of the regions that a page asks for.
	RegionHeader = "X-Region"
	// RowsHeader has the keys of the rows that a page shows, in their order.
	RowsHeader = "X-Rows"
	// renderedHeader says when the answer was read.
	renderedHeader = "X-Rendered"
	// maxRegions and maxRows bound what a page can ask for.
	maxRegions = 32
	maxRows    = 1000
)

// AsksRegion reports whether the answer needs a region: a page that is loaded needs
// all of them.
func AsksRegion(c *gin.Context, region string) bool {
	asked := c.GetHeader(RegionHeader)
	return asked == "" || slices.Contains(names(asked, maxRegions), region)
}

// RowsShown are the keys of the rows that the reader looks at; nil for a page that is
// loaded.
func RowsShown(c *gin.Context) []string {
	if c.GetHeader(RegionHeader) == "" {
		return nil
	}
	var keys []string
	for _, row := range names(c.GetHeader(RowsHeader), maxRows) {
		key, _, _ := strings.Cut(row, ".")
		keys = append(keys, key)
	}
	return keys
}

// formName is what stands before the name of a form, see [ui.Once].
var formName = []byte(`name="` + ui.FormField + `" value="`)

// How times begin that the browser counts; see [ui.TimeView].
var (
	timeTag    = []byte("<time ")
	countsDown = []byte(" data-countdown")
	countsUp   = []byte(" data-since=")
)

// names is a list in a header.
func names(text string, most int) []string {
	if text == "" {
		return nil
	}
	list := strings.Split(text, ",")
	return list[:min(len(list), most)]
}

// noteRendered lets the page say how old it is although nothing changed.
func noteRendered(c *gin.Context, at ui.Time) {
	if c.GetHeader(RegionHeader) != "" {
		c.Header(renderedHeader, at.ISO+" "+url.PathEscape(at.Text))
	}
}

// writeRegions answers with the regions that a page asks for and does not have.
func writeRegions(c *gin.Context, status int, page []byte) {
	has := make(map[string]bool)
	for tag := range strings.SplitSeq(c.GetHeader("If-None-Match"), ",") {
		has[strings.Trim(tag, ` "`)] = true
	}
	rows := make(map[string]bool)
	for _, row := range names(c.GetHeader(RowsHeader), maxRows) {
		rows[row] = true
	}
	var out bytes.Buffer
	all := fnv.New64a()
	for _, name := range names(c.GetHeader(RegionHeader), maxRegions) {
		part, ok := element(page, "data-region", name)
		if !ok {
			continue
		}
		mark := markOf(part)
		_, _ = all.Write([]byte(mark))
		if !has[name+"."+mark] {
			marked(&out, part, mark, rows)
		}
	}
	c.Header("ETag", `"`+strconv.FormatUint(all.Sum64(), 36)+`"`)
	if out.Len() == 0 {
		c.Status(http.StatusNotModified)
		return
	}
	c.Data(status, "text/html; charset=utf-8", out.Bytes())
}

// withMarks returns a page with the marks of its regions, so the page doesn't ask again for
// regions that it has.
func withMarks(page []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(page) + len(page)/16)
	for {
		at := bytes.Index(page, []byte(` data-region="`))
		if at < 0 {
			out.Write(page)
			return out.Bytes()
		}
		start := bytes.LastIndexByte(page[:at], '<')
		end := start + elementEnd(page[start:])
		out.Write(page[:start])
		part := page[start:end]
		if bytes.HasPrefix(page[at:], []byte(` data-region="rendered"`)) { // never asked for
			out.Write(part)
		} else {
			begin(&out, part, markOf(part))
			out.Write(part[tagEnd(part):])
		}
		page = page[end:]
	}
}

// markOf names a content, whatever its forms call themselves and however far its
// times are, which the browser counts.
func markOf(content []byte) string {
	h := fnv.New64a()
	for {
		form, moment := bytes.Index(content, formName), bytes.Index(content, timeTag)
		switch {
		case form >= 0 && (moment < 0 || form < moment):
			end := form + len(formName)
			_, _ = h.Write(content[:end])
			content = content[end:]
			content = content[max(0, bytes.IndexByte(content, '"')):]
		case moment >= 0:
			end := moment + tagEnd(content[moment:])
			_, _ = h.Write(content[:end])
			counted := bytes.Contains(content[moment:end], countsDown) || bytes.Contains(content[moment:end], countsUp)
			if content = content[end:]; counted {
				content = content[max(0, bytes.IndexByte(content, '<')):]
			}
		default:
			_, _ = h.Write(content)
			return strconv.FormatUint(h.Sum64()>>32, 36)
		}
	}
}

// marked writes an element with its mark, and so its rows. Of those that the page has
// there is only the beginning.
func marked(out *bytes.Buffer, part []byte, mark string, has map[string]bool) {
	begin(out, part, mark)
	part = part[tagEnd(part):]
	for {
		at := bytes.Index(part, []byte(` data-row="`))
		if at < 0 {
			break
		}
		key := part[at+len(` data-row="`):]
		key = key[:bytes.IndexByte(key, '"')]
		start := bytes.LastIndexByte(part[:at], '<')
		row := part[start : start+elementEnd(part[start:])]
		out.Write(part[:start])
		part = part[start+len(row):]
		rowMark := markOf(row)
		if !has[string(key)+"."+rowMark] {
			begin(out, row, rowMark)
			out.Write(row[tagEnd(row):])
			continue
		}
		tag := nameOf(row)
		out.WriteString("<" + string(tag) + ` data-row="` + string(key) + `" data-same></` + string(tag) + ">")
	}
	out.Write(part)
}

// begin writes the tag that an element begins with, and its mark.
func begin(out *bytes.Buffer, part []byte, mark string) {
	tag := nameOf(part)
	out.WriteString("<" + string(tag) + ` data-h="` + mark + `"`)
	out.Write(part[1+len(tag) : tagEnd(part)])
}

// element finds the element that has an attribute with a value. The page is our own:
// templates escape < and > in texts and attributes, and close what they open.
func element(page []byte, attribute, value string) ([]byte, bool) {
	at := bytes.Index(page, []byte(" "+attribute+`="`+value+`"`))
	if at < 0 {
		return nil, false
	}
	start := bytes.LastIndexByte(page[:at], '<')
	return page[start : start+elementEnd(page[start:])], true
}

// nameOf is the name of the tag that a part begins with.
func nameOf(part []byte) []byte {
	end := bytes.IndexAny(part, " >/")
	return part[1:end]
}

// tagEnd is where the tag ends that a part begins with.
func tagEnd(part []byte) int { return bytes.IndexByte(part, '>') + 1 }

// elementEnd is where the element ends that a part begins with: it counts the tags of
// its name.
func elementEnd(part []byte) int {
	name := nameOf(part)
	opens, closes := append([]byte("<"), name...), append(append([]byte("</"), name...), '>')
	at, depth := len(opens), 1
	for depth > 0 {
		end := bytes.Index(part[at:], closes)
		if end < 0 {
			return len(part)
		}
		for inner := part[at : at+end]; ; depth++ {
			next := bytes.Index(inner, opens)
			if next < 0 {
				break
			}
			inner = inner[next+len(opens):]
			if len(inner) > 0 && !bytes.ContainsAny(inner[:1], " >") {
				depth-- // a longer name, such as thead for th
			}
		}
		at, depth = at+end+len(closes), depth-1
	}
	return at
}
