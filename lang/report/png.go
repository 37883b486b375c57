// Charts as pictures of dots, for chats that show no svg: the same drawing, of which the
// few shapes that it is made of are filled in.

package report

import (
	"bufio"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"dicescript/lang"
)

// dotsPerUnit is how many dots a unit of a drawing has in each direction, so that it is
// sharp on the screens of phones.
const dotsPerUnit = 2

// mostDots bounds a picture: four bytes each.
const mostDots = 16 << 20

// errNoChart is that of a picture of nothing.
var errNoChart = errors.New("png: there is no chart of these outputs; see HasChart")

// PNG writes the charts of the outputs of r with the given 0-based places, one below the
// other, as a picture on white. Outputs without a chart are left out; when none has one,
// that is an error, and so are a place that there is not, and charts of more than 16
// million dots. Letters that are not of ASCII are drawn as boxes. The options count as for
// svg; the limit is that of the file.
//
// A picture takes some milliseconds and four bytes for each dot.
func PNG(ctx context.Context, w io.Writer, r *lang.Result, places []int, o Options) error {
	o.ctx = ctx
	s := newSheet(r, o)
	for _, place := range places {
		if place < 0 || place >= len(s.outputs) {
			return fmt.Errorf("png: output %d of %d", place, len(s.outputs))
		}
	}
	return flushed(w, o, func(b *bufio.Writer) error {
		c, err := s.canvas(places)
		if err != nil {
			return err
		}
		return png.Encode(b, c.dots)
	})
}

// canvas draws charts below one another.
func (s *sheet) canvas(places []int) (*canvas, error) {
	var charts []*chart
	width, height := chartWidth, 2*svgMargin
	for _, place := range places {
		if c := s.chart(place); c != nil {
			charts = append(charts, c)
			width = max(width, c.width)
			height += headHeight + c.height + chartGap
		}
	}
	if len(charts) == 0 {
		return nil, errNoChart
	}
	width += 2 * svgMargin
	if width*height*dotsPerUnit*dotsPerUnit > mostDots {
		return nil, fmt.Errorf("png: the picture would have more than %d million dots: draw fewer outputs", mostDots>>20)
	}
	c := newCanvas(width, height)
	y := svgMargin
	for _, drawing := range charts {
		s.o.look()
		c.left, c.top = svgMargin, y
		c.write(0, 18, "start", shortened(drawing.head, int(drawing.width/8.5)), inkColor)
		y += headHeight
		c.top = y
		if err := c.draw(drawing.body.String()); err != nil {
			return nil, err
		}
		y += drawing.height + chartGap
	}
	return c, nil
}

// The colours of charts on a light page, as in their style sheet.
var (
	inkColor   = color.RGBA{0x1f, 0x23, 0x28, 0xff}
	softColor  = color.RGBA{0x59, 0x63, 0x6e, 0xff}
	lineColor  = color.RGBA{0xd1, 0xd9, 0xe0, 0xff}
	lineColors = []color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, {0xc2, 0x4e, 0x00, 0xff}, {0x00, 0x79, 0x5a, 0xff},
		{0xa8, 0x3f, 0x7d, 0xff}, {0x7a, 0x60, 0x00, 0xff}, {0x3d, 0x3d, 0x9e, 0xff},
	}
)

// A canvas is a picture that is being drawn. Places on it are in the units of drawings,
// from the corner of the current one.
type canvas struct {
	dots      *image.RGBA
	left, top float64
}

func newCanvas(width, height float64) *canvas {
	c := &canvas{dots: image.NewRGBA(image.Rect(0, 0, int(math.Ceil(width*dotsPerUnit)), int(math.Ceil(height*dotsPerUnit))))}
	for i := range c.dots.Pix {
		c.dots.Pix[i] = 0xff
	}
	return c
}

// draw fills in the shapes of a drawing.
func (c *canvas) draw(body string) error {
	d := xml.NewDecoder(strings.NewReader("<g>" + body + "</g>"))
	var text *xml.StartElement
	titled := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("png: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "title":
				titled++
			case "rect":
				c.drawRect(t)
			case "path":
				c.drawPath(t)
			case "text":
				text = &t
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "title":
				titled--
			case "text":
				text = nil
			}
		case xml.CharData:
			if text != nil && titled == 0 {
				c.write(numberOf(*text, "x"), numberOf(*text, "y"), attributeOf(*text, "text-anchor"), string(t), textColor(*text))
			}
		}
	}
}

func attributeOf(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func numberOf(e xml.StartElement, name string) float64 {
	x, _ := strconv.ParseFloat(attributeOf(e, name), 64)
	return x
}

func textColor(e xml.StartElement) color.RGBA {
	if class := attributeOf(e, "class"); strings.Contains(class, "ds-strong") || strings.Contains(class, "ds-head") {
		return inkColor
	}
	return softColor
}

// colorOf is the colour that a style names, that of the first series when it names
// none.
func colorOf(style string) color.RGBA {
	_, after, ok := strings.Cut(style, "--ds-")
	if ok && after != "" && after[0] >= '0' && int(after[0]-'0') < len(lineColors) {
		return lineColors[after[0]-'0']
	}
	return lineColors[0]
}

func (c *canvas) drawRect(e xml.StartElement) {
	fill, opacity := colorOf(attributeOf(e, "style")), 1.0
	if attributeOf(e, "class") == "ds-track" {
		fill, opacity = lineColor, 0.5
	}
	if attributeOf(e, "fill-opacity") != "" {
		opacity = numberOf(e, "fill-opacity")
	}
	x, y := numberOf(e, "x"), numberOf(e, "y")
	c.fill(x, y, x+numberOf(e, "width"), y+numberOf(e, "height"), fill, opacity)
}

// drawPath draws a path, all of whose lines go across or down.
func (c *canvas) drawPath(e xml.StartElement) {
	across := c.across
	switch attributeOf(e, "class") {
	case "ds-axis":
		across = func(x0, y0, x1, y1 float64) { c.stroke(x0, y0, x1, y1, 1, lineColor) }
	case "ds-curve":
		stroke := colorOf(attributeOf(e, "style"))
		across = func(x0, y0, x1, y1 float64) { c.stroke(x0, y0, x1, y1, 2, stroke) }
	case "ds-area":
		bottom := bottomOf(attributeOf(e, "d"))
		across = func(x0, y0, x1, _ float64) {
			if x1 > x0 {
				c.fill(x0, y0, x1, bottom, lineColors[0], 0.12)
			}
		}
	}
	follow(attributeOf(e, "d"), across)
}

// across draws a line of no class of its own.
func (c *canvas) across(x0, y0, x1, y1 float64) { c.stroke(x0, y0, x1, y1, 1, softColor) }

// bottomOf is the largest y of a path.
func bottomOf(path string) (y float64) {
	follow(path, func(_, y0, _, y1 float64) { y = max(y, y0, y1) })
	return y
}

// follow visits the lines of a path of M, H, V, h, v and Z.
func follow(path string, visit func(x0, y0, x1, y1 float64)) {
	var x, y float64
	for path != "" {
		verb := path[0]
		end := strings.IndexAny(path[1:], "MHVhvZ") + 1
		if end == 0 {
			end = len(path)
		}
		var numbers []float64
		for _, text := range strings.Fields(path[1:end]) {
			n, _ := strconv.ParseFloat(text, 64)
			numbers = append(numbers, n)
		}
		path = path[end:]
		toX, toY := x, y
		switch {
		case verb == 'M' && len(numbers) == 2:
			x, y = numbers[0], numbers[1]
			continue
		case verb == 'H' && len(numbers) == 1:
			toX = numbers[0]
		case verb == 'V' && len(numbers) == 1:
			toY = numbers[0]
		case verb == 'h' && len(numbers) == 1:
			toX = x + numbers[0]
		case verb == 'v' && len(numbers) == 1:
			toY = y + numbers[0]
		default:
			continue
		}
		visit(x, y, toX, toY)
		x, y = toX, toY
	}
}

// stroke draws a line that goes across or down.
func (c *canvas) stroke(x0, y0, x1, y1, width float64, with color.RGBA) {
	half := width / 2
	c.fill(min(x0, x1)-half, min(y0, y1)-half, max(x0, x1)+half, max(y0, y1)+half, with, 1)
}

// fill fills a rectangle. What there is of it is seen, however small.
func (c *canvas) fill(x0, y0, x1, y1 float64, with color.RGBA, opacity float64) {
	if x1 <= x0 || y1 <= y0 {
		return
	}
	left, right := dotsOf(c.left+x0, c.left+x1)
	top, bottom := dotsOf(c.top+y0, c.top+y1)
	area := image.Rect(left, top, right, bottom).Intersect(c.dots.Bounds())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c.dot(x, y, with, opacity)
		}
	}
}

// dotsOf are the dots from one place to another, at least one.
func dotsOf(from, to float64) (first, end int) {
	first, end = int(math.Round(from*dotsPerUnit)), int(math.Round(to*dotsPerUnit))
	return first, max(end, first+1)
}

func (c *canvas) dot(x, y int, with color.RGBA, opacity float64) {
	p := c.dots.Pix[c.dots.PixOffset(x, y):]
	for i, v := range []uint8{with.R, with.G, with.B} {
		p[i] = uint8(math.Round(float64(p[i])*(1-opacity) + float64(v)*opacity))
	}
}

// Letters are drawn with two dots for each of theirs, in the size of those of svg.
const (
	letterDots  = 2
	letterWidth = (glyphWidth + 1) * letterDots
)

// write writes a text on a line, as svg places it.
func (c *canvas) write(x, y float64, anchor, text string, with color.RGBA) {
	runes := []rune(plainSigns.Replace(text))
	left := int(math.Round((c.left + x) * dotsPerUnit))
	switch width := len(runes)*letterWidth - letterDots; anchor {
	case "end":
		left -= width
	case "middle":
		left -= width / 2
	}
	top := int(math.Round((c.top+y)*dotsPerUnit)) - glyphHeight*letterDots
	for i, r := range runes {
		c.letter(left+i*letterWidth, top, glyphOf(r), with)
	}
}

func (c *canvas) letter(left, top int, g glyph, with color.RGBA) {
	for row, dots := range g {
		for column := range glyphWidth {
			if dots>>(glyphWidth-1-column)&1 == 0 {
				continue
			}
			for i := range letterDots * letterDots {
				at := image.Pt(left+column*letterDots+i%letterDots, top+row*letterDots+i/letterDots)
				if at.In(c.dots.Bounds()) {
					c.dots.SetRGBA(at.X, at.Y, with)
				}
			}
		}
	}
}
