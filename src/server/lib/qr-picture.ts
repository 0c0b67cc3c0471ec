import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** Quiet zone around the code; cameras need it to find the code. */
const BORDER = 3
/** Pixels per module. */
const MODULE_SIZE = 12
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const GRAY = 0

/**
 * Renders a QR code as a black and white PNG, one bit per pixel (W3C PNG, 11.2 and 12.5). Written here because loading the image library would cost the site's
 * process 20 MB.
 */
export function qrPicture(code: string): Buffer {
  const { size, data } = encode(code, { border: BORDER })
  const side = size * MODULE_SIZE
  const row = Buffer.alloc(1 + Math.ceil(side / 8))
  const rows = data.flatMap((modules) => {
    // The first byte says that the row is not filtered.
    row.fill(0)
    for (let x = 0; x < side; x++)
      if (!modules[Math.floor(x / MODULE_SIZE)]) row[1 + (x >> 3)] = (row[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
    return Array<Buffer>(MODULE_SIZE).fill(Buffer.from(row))
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, GRAY, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A QR code as an SVG path of its dark modules, in a square of `size` units. */
export function qrPath(content: string): { size: number; path: string } {
  const { size, data } = encode(content, { border: BORDER, ecc: 'M' })
  const runs = data.flatMap((row, y) => {
    const found: string[] = []
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue
      const start = x
      while (row[x + 1]) x++
      found.push(`M${start} ${y}h${x + 1 - start}v1h-${x + 1 - start}z`)
    }
    return found
  })
  return { size, path: runs.join('') }
}

function chunk(type: string, content: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(typeAndData))
  return Buffer.concat([length, typeAndData, checksum])
}
