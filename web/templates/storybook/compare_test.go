package storybook

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
)

// What makes two pictures of a component different. A machine has other fonts than the
// one on which a picture was taken, so letters and their edges count for nothing: sizes,
// areas of each tone and where it is light and dark do.
const (
	// heightSlack is how much of its height a component may differ by; never less
	// than heightLeast pixels.
	heightSlack = 0.06
	heightLeast = 8
	// toneSlack is how much of its area a tone may lose or win; never less than
	// toneLeast of the picture.
	toneSlack = 0.4
	toneLeast = 0.0006
	// gridColumns are the cells across; a cell is different by shadeSlack of what lies
	// between black and white, compared with the cells around it as well. cellSlack of
	// them may be.
	gridColumns = 32
	shadeSlack  = 0.16
	cellSlack   = 0.015
)

// differences says in which ways two pictures are not of one component.
func differences(want, got image.Image) (found []string) {
	w, g := want.Bounds(), got.Bounds()
	if d := math.Abs(float64(w.Dy() - g.Dy())); w.Dx() != g.Dx() || d > max(heightLeast, heightSlack*float64(w.Dy())) {
		return []string{fmt.Sprintf("it is %d × %d px, was %d × %d", g.Dx(), g.Dy(), w.Dx(), w.Dy())}
	}
	before, after := tones(want), tones(got)
	for _, tone := range toneNames {
		a, b := before[tone], after[tone]
		if d := math.Abs(a - b); d > toneLeast && d > toneSlack*max(a, b) {
			found = append(found, fmt.Sprintf("%.2f %% of it are %s, were %.2f %%", 100*b, tone, 100*a))
		}
	}
	rows := max(2, int(math.Round(float64(w.Dy()*gridColumns)/float64(w.Dx()))))
	if n := unlike(shades(want, rows), shades(got, rows)); float64(n) > cellSlack*float64(rows*gridColumns) {
		found = append(found, fmt.Sprintf("%d of %d places are lighter or darker", n, rows*gridColumns))
	}
	return found
}

// toneNames are the tones that are told apart.
var toneNames = []string{"red", "amber", "green", "teal", "blue", "violet", "pink"}

// tones are the parts of a picture that have a tone, tints among them.
func tones(picture image.Image) map[string]float64 {
	area, b := make(map[string]float64), picture.Bounds()
	one := 1 / float64(b.Dx()*b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if name := toneOf(picture.At(x, y)); name != "" {
				area[name] += one
			}
		}
	}
	return area
}

// toneOf names the tone of a colour, empty for a grey.
func toneOf(c color.Color) string {
	r32, g32, b32, _ := c.RGBA()
	r, g, b := float64(r32)/0xffff, float64(g32)/0xffff, float64(b32)/0xffff
	most, least := max(r, g, b), min(r, g, b)
	chroma := most - least
	if chroma < 0.05 {
		return ""
	}
	var hue float64
	switch most {
	case r:
		hue = math.Mod((g-b)/chroma+6, 6)
	case g:
		hue = (b-r)/chroma + 2
	default:
		hue = (r-g)/chroma + 4
	}
	switch hue *= 60; {
	case hue < 20 || hue >= 340:
		return "red"
	case hue < 75:
		return "amber"
	case hue < 165:
		return "green"
	case hue < 205:
		return "teal"
	case hue < 240:
		return "blue"
	case hue < 290:
		return "violet"
	}
	return "pink"
}

// shades is how light each cell of a picture is, 0 to 1.
func shades(picture image.Image, rows int) [][]float64 {
	b := picture.Bounds()
	grid := make([][]float64, rows)
	for row := range grid {
		grid[row] = make([]float64, gridColumns)
		for column := range grid[row] {
			sum, n := 0.0, 0
			for y := b.Min.Y + row*b.Dy()/rows; y < b.Min.Y+(row+1)*b.Dy()/rows; y++ {
				for x := b.Min.X + column*b.Dx()/gridColumns; x < b.Min.X+(column+1)*b.Dx()/gridColumns; x++ {
					r, g, bl, _ := picture.At(x, y).RGBA()
					sum += (0.2126*float64(r) + 0.7152*float64(g) + 0.0722*float64(bl)) / 0xffff
					n++
				}
			}
			grid[row][column] = sum / float64(max(1, n))
		}
	}
	return grid
}

// unlike counts the cells of either that are lighter or darker than all cells around
// their place in the other.
func unlike(a, b [][]float64) int {
	n := 0
	for row := range a {
		for column := range a[row] {
			if off(a[row][column], b, row, column) || off(b[row][column], a, row, column) {
				n++
			}
		}
	}
	return n
}

func off(shade float64, grid [][]float64, row, column int) bool {
	least, most := 1.0, 0.0
	for y := max(0, row-1); y <= min(len(grid)-1, row+1); y++ {
		for x := max(0, column-1); x <= min(gridColumns-1, column+1); x++ {
			least, most = min(least, grid[y][x]), max(most, grid[y][x])
		}
	}
	return shade < least-shadeSlack || shade > most+shadeSlack
}

// fewColours is a picture with the colours that it has most, so that its file is small.
func fewColours(picture image.Image) image.Image {
	b := picture.Bounds()
	count := make(map[color.RGBA]int)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			count[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)]++
		}
	}
	most := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range most[:min(256, len(most))] {
		palette = append(palette, c)
	}
	small := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), palette)
	known := make(map[color.RGBA]uint8)
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := color.RGBAModel.Convert(picture.At(b.Min.X+x, b.Min.Y+y)).(color.RGBA)
			i, ok := known[c]
			if !ok {
				i = uint8(palette.Index(c)) //nolint:gosec // at most 255
				known[c] = i
			}
			small.SetColorIndex(x, y, i)
		}
	}
	return small
}
