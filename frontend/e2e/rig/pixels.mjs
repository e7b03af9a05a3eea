// Looks at a screen as a person does: Xvfb keeps its picture in a file, as xwd
// writes it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

// look gives the picture on the screen whose server keeps it in dir.
export function look(dir) {
  const file = readFileSync(join(dir, 'Xvfb_screen0'))
  const field = (i) => file.readUInt32BE(4 * i)
  const start = field(0) + 12 * field(19) // the header and the colours
  const line = field(12)
  const [width, height] = [field(4), field(5)]
  return { width, height, at: (x, y) => file.readUInt32LE(start + y * line + 4 * x) & 0xffffff }
}

// changed gives the smallest box around all that differs between two pictures
// below a line from the top; undefined: nothing does.
export function changed(before, after, top = 0, bottom = after.height) {
  let box
  for (let y = top; y < bottom; y++) {
    for (let x = 0; x < after.width; x++) {
      if (before.at(x, y) === after.at(x, y)) continue
      box ??= { left: x, right: x, top: y, bottom: y }
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.bottom = y
    }
  }
  return box
}

// save writes a picture as a PNG.
export function save(picture, path) {
  const { width, height, at } = picture
  const rows = Buffer.alloc(height * (1 + 3 * width))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.writeUIntBE(at(x, y), y * (1 + 3 * width) + 1 + 3 * x, 3)
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8) // 8 bits of red, green and blue
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  writeFileSync(path, Buffer.concat([magic, ...chunks]))
}

function chunk(name, data) {
  const out = Buffer.alloc(12 + data.length)
  out.writeUInt32BE(data.length, 0)
  out.write(name, 4, 'latin1')
  data.copy(out, 8)
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length)
  return out
}
