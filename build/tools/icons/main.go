// Command icons draws build/icons/recollect.svg at every size that a system
// asks for. Its results are committed: run it after the drawing changed.
//
//	go run ./icons          (in build/tools)
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	"github.com/tc-hib/winres"
	xdraw "golang.org/x/image/draw"
)

// sizes are those that hicolor, Windows and macOS have room for.
var sizes = []int{16, 24, 32, 48, 64, 128, 256, 512, 1024}

// macTypes are the entries of an icns file that hold a PNG, by size.
var macTypes = []struct {
	size int
	code string
}{{16, "icp4"}, {32, "icp5"}, {64, "icp6"}, {128, "ic07"}, {256, "ic08"}, {512, "ic09"}, {1024, "ic10"}}

func main() {
	if err := run(".."); err != nil {
		fmt.Fprintln(os.Stderr, "icons:", err)
		os.Exit(1)
	}
}

func run(build string) error {
	drawing, err := os.ReadFile(filepath.Join(build, "icons", "recollect.svg"))
	if err != nil {
		return err
	}
	large, err := draw(drawing, sizes[len(sizes)-1])
	if err != nil {
		return err
	}
	pictures, files := map[int]image.Image{}, map[int][]byte{}
	for _, size := range sizes {
		pictures[size] = scaled(large, size)
		var out bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, pictures[size]); err != nil {
			return err
		}
		files[size] = out.Bytes()
	}
	errs := []error{windowsIcon(filepath.Join(build, "windows", "recollect.ico"), pictures), macIcon(filepath.Join(build, "darwin", "recollect.icns"), files)}
	for _, size := range sizes[:len(sizes)-1] {
		errs = append(errs, os.WriteFile(filepath.Join(build, "icons", fmt.Sprintf("%d.png", size)), files[size], 0o644))
	}
	return errors.Join(errs...)
}

// draw gives the drawing at its own size: the library scales neither the width of
// strokes nor gradients.
func draw(drawing []byte, size int) (image.Image, error) {
	icon, err := oksvg.ReadIconStream(bytes.NewReader(drawing), oksvg.StrictErrorMode)
	if err != nil {
		return nil, err
	}
	picture := image.NewRGBA(image.Rect(0, 0, size, size))
	icon.Draw(rasterx.NewDasher(size, size, rasterx.NewScannerGV(size, size, picture, picture.Bounds())), 1)
	return picture, nil
}

func scaled(large image.Image, size int) image.Image {
	picture := image.NewRGBA(image.Rect(0, 0, size, size))
	xdraw.CatmullRom.Scale(picture, picture.Bounds(), large, large.Bounds(), xdraw.Src, nil)
	return picture
}

func windowsIcon(path string, pictures map[int]image.Image) error {
	var list []image.Image
	for _, size := range []int{256, 64, 48, 32, 24, 16} {
		list = append(list, pictures[size])
	}
	icon, err := winres.NewIconFromImages(list)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := icon.SaveICO(&out); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// macIcon writes an icns file: a head, then each picture as type, length of all
// with these eight bytes, and a PNG.
func macIcon(path string, files map[int][]byte) error {
	var body bytes.Buffer
	for _, t := range macTypes {
		body.WriteString(t.code)
		if err := binary.Write(&body, binary.BigEndian, uint32(8+len(files[t.size]))); err != nil {
			return err
		}
		body.Write(files[t.size])
	}
	head := binary.BigEndian.AppendUint32([]byte("icns"), uint32(8+body.Len()))
	return os.WriteFile(path, append(head, body.Bytes()...), 0o644)
}
