import { encode } from 'uqr'

/** Quiet zone around the code; cameras need it to find the code. */
const BORDER = 3

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
