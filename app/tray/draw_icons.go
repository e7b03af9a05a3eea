//go:build ignore

// Draws the icons of the tray: go generate ./app/tray
//
// A teal bubble with a light rim reads on dark and on light panels; macOS gets
// templates, which it colours itself. The state is in the shape as well as in
// the colour.
package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
	"path/filepath"
)

// The drawing is 22 units wide and high.
const units = 22

// samples of a pixel in each direction.
const samples = 8

// shape is how far a point is outside of something; negative: inside.
type shape func(x, y float64) float64

// layer is laid over those before it; a colour of nil takes away.
type layer struct {
	shape shape
	grow  float64
	color color.Color
}

var (
	teal  = color.NRGBA{0x14, 0x87, 0x7f, 0xff}
	amber = color.NRGBA{0xf2, 0xa0, 0x3d, 0xff}
	red   = color.NRGBA{0xd1, 0x24, 0x2f, 0xff}
	white = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	rim   = color.NRGBA{0xff, 0xff, 0xff, 0xd8}
	black = color.NRGBA{0, 0, 0, 0xff}
)

func main() {
	for name, layers := range map[string][]layer{
		"idle":      append(bubble(teal), lines()...),
		"new":       append(append(bubble(teal), lines()...), dot(amber)...),
		"working":   append(bubble(teal), dots()...),
		"attention": append(append(bubble(teal), lines()...), badge(amber, exclamation(black))...),
		"error":     append(append(bubble(teal), lines()...), badge(red, cross(white))...),
	} {
		write(name+".png", encodePNG(render(layers, 44)))
		write(name+".ico", encodeICO(render(layers, 16), render(layers, 20), render(layers, 24), render(layers, 32), render(layers, 48)))
		write(name+"_template.png", encodePNG(render(template(layers), 44)))
	}
}

func bubble(c color.Color) []layer {
	body := either(box(2, 2.5, 20, 16, 3.5), triangle(5.5, 15, 5.5, 20.5, 11.5, 15))
	return []layer{{body, 1, rim}, {body, 0, c}}
}

func lines() []layer {
	mark := either(box(13.5, 2.5, 17, 9, 0), either(triangle(13.5, 9, 13.5, 11.5, 15.5, 9), triangle(17, 9, 17, 11.5, 15, 9)))
	return []layer{
		{capsule(5.5, 7, 10.5, 7), 1.05, white},
		{capsule(5.5, 11.5, 9, 11.5), 1.05, white},
		{mark, 0, amber},
	}
}

func dots() []layer {
	var out []layer
	for _, x := range []float64{6, 11, 16} {
		out = append(out, layer{capsule(x, 9.25, x, 9.25), 1.6, white})
	}
	return out
}

func badge(ground color.Color, sign []layer) []layer {
	at := capsule(16, 16, 16, 16)
	return append([]layer{{at, 6, nil}, {at, 5, ground}}, sign...)
}

func exclamation(c color.Color) []layer {
	return []layer{{capsule(16, 13.2, 16, 16.3), 0.95, c}, {capsule(16, 18.9, 16, 18.9), 1, c}}
}

// dot asks for less than a badge does.
func dot(c color.Color) []layer {
	at := capsule(17, 16, 17, 16)
	return []layer{{at, 4.8, nil}, {at, 3.7, c}}
}

func cross(c color.Color) []layer {
	return []layer{{capsule(14.2, 14.2, 17.8, 17.8), 0.9, c}, {capsule(17.8, 14.2, 14.2, 17.8), 0.9, c}}
}

// template is the drawing in black, with holes where there was a light colour.
func template(layers []layer) []layer {
	var out []layer
	for _, l := range layers {
		switch l.color {
		case rim:
			continue
		case white, amber:
			if l.grow < 3 { // all but the ground of a badge or a dot
				l.color = nil
				break
			}
			fallthrough
		case teal, red:
			l.color = black
		case black: // the sign of a badge
			l.color = nil
		}
		out = append(out, l)
	}
	return out
}

func render(layers []layer, size int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	step := float64(units) / float64(size*samples)
	for py := range size {
		for px := range size {
			var r, g, b, a float64 // premultiplied sums
			for s := range samples * samples {
				x := (float64(px*samples+s%samples) + 0.5) * step
				y := (float64(py*samples+s/samples) + 0.5) * step
				sr, sg, sb, sa := at(layers, x, y)
				r, g, b, a = r+sr, g+sg, b+sb, a+sa
			}
			if a > 0 {
				img.SetNRGBA(px, py, color.NRGBA{byte(r/a*255 + 0.5), byte(g/a*255 + 0.5), byte(b/a*255 + 0.5), byte(a/(samples*samples)*255 + 0.5)})
			}
		}
	}
	return img
}

// at is the premultiplied colour of a point, each part from 0 to 1.
func at(layers []layer, x, y float64) (r, g, b, a float64) {
	for _, l := range layers {
		if l.shape(x, y) > l.grow {
			continue
		}
		if l.color == nil {
			r, g, b, a = 0, 0, 0, 0
			continue
		}
		c := l.color.(color.NRGBA)
		ca := float64(c.A) / 255
		over := func(below float64, of byte) float64 { return float64(of)/255*ca + below*(1-ca) }
		r, g, b, a = over(r, c.R), over(g, c.G), over(b, c.B), ca+a*(1-ca)
	}
	return r, g, b, a
}

func either(a, b shape) shape {
	return func(x, y float64) float64 { return min(a(x, y), b(x, y)) }
}

func box(x0, y0, x1, y1, radius float64) shape {
	return func(x, y float64) float64 {
		dx := math.Abs(x-(x0+x1)/2) - (x1-x0)/2 + radius
		dy := math.Abs(y-(y0+y1)/2) - (y1-y0)/2 + radius
		return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius
	}
}

func capsule(x0, y0, x1, y1 float64) shape {
	return func(x, y float64) float64 {
		length := (x1-x0)*(x1-x0) + (y1-y0)*(y1-y0)
		t := 0.0
		if length > 0 {
			t = min(max(((x-x0)*(x1-x0)+(y-y0)*(y1-y0))/length, 0), 1)
		}
		return math.Hypot(x-x0-t*(x1-x0), y-y0-t*(y1-y0))
	}
}

func triangle(x0, y0, x1, y1, x2, y2 float64) shape {
	edges := []shape{capsule(x0, y0, x1, y1), capsule(x1, y1, x2, y2), capsule(x2, y2, x0, y0)}
	side := func(ax, ay, bx, by, x, y float64) bool { return (bx-ax)*(y-ay)-(by-ay)*(x-ax) >= 0 }
	return func(x, y float64) float64 {
		d := min(edges[0](x, y), edges[1](x, y), edges[2](x, y))
		a, b, c := side(x0, y0, x1, y1, x, y), side(x1, y1, x2, y2, x, y), side(x2, y2, x0, y0, x, y)
		if a == b && b == c {
			return -d
		}
		return d
	}
}

func encodePNG(img image.Image) []byte {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}

// encodeICO writes the images as bitmaps, which every Windows reads.
func encodeICO(images ...*image.NRGBA) []byte {
	var head, body bytes.Buffer
	put := func(b *bytes.Buffer, values ...any) {
		for _, v := range values {
			if err := binary.Write(b, binary.LittleEndian, v); err != nil {
				log.Fatal(err)
			}
		}
	}
	put(&head, uint16(0), uint16(1), uint16(len(images)))
	offset := 6 + 16*len(images)
	for _, img := range images {
		n := img.Bounds().Dx()
		mask := (n + 31) / 32 * 4 * n
		length := 40 + 4*n*n + mask
		put(&head, uint8(n), uint8(n), uint16(0), uint16(1), uint16(32), uint32(length), uint32(offset))
		offset += length
		put(&body, uint32(40), int32(n), int32(2*n), uint16(1), uint16(32), uint32(0), uint32(4*n*n+mask), int32(0), int32(0), uint32(0), uint32(0))
		for y := n - 1; y >= 0; y-- {
			for x := range n {
				c := img.NRGBAAt(x, y)
				body.Write([]byte{c.B, c.G, c.R, c.A})
			}
		}
		body.Write(make([]byte, mask))
	}
	return append(head.Bytes(), body.Bytes()...)
}

func write(name string, data []byte) {
	if err := os.WriteFile(filepath.Join("icons", name), data, 0o644); err != nil {
		log.Fatal(err)
	}
}
