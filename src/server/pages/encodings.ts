import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants, gzip as gzipCallback, gzipSync } from 'node:zlib'

/** How a text can travel, smallest first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

const MAXIMUM_REMEMBERED = 200
const remembered = new Map<string, readonly Encoding[]>()
const ONLY_IDENTITY: readonly Encoding[] = ['identity']

/**
 * The encodings a browser takes, the one it likes best first, and of those it likes the same the smallest. Plain text comes last even when
 * it is refused: an answer it can not use is better than none.
 */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (!header) return ONLY_IDENTITY
  const known = remembered.get(header)
  if (known) return known
  const parsed = parse(header)
  // Browsers send a handful of different headers; whoever sends thousands is not remembered.
  if (remembered.size < MAXIMUM_REMEMBERED) remembered.set(header, parsed)
  return parsed
}

function parse(header: string): readonly Encoding[] {
  const qualities = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    if (name) qualities.set(name === 'x-gzip' ? 'gzip' : name, quality ? Number(quality.slice(2)) || 0 : 1)
  }
  // Plain text that is not mentioned may be sent, but anything mentioned is liked better.
  const unmentioned = { br: 0, gzip: 0, identity: qualities.get('*') ?? 0.0001 }
  const liked = ENCODINGS.map((encoding) => ({
    encoding,
    quality: qualities.get(encoding) ?? qualities.get('*') ?? unmentioned[encoding],
  }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ encoding }) => encoding)
  return liked.includes('identity') ? liked : [...liked, 'identity']
}

/** Close to the smallest at a tenth of its time: pages are compressed while the site runs. */
const BROTLI_QUALITY = 9
const GZIP_LEVEL = 6

/** At once, in under a millisecond for a page: also its first reader gets it small. */
export function gzip(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: GZIP_LEVEL })
}

/** The same for what takes longer. */
export function gzipLater(bytes: Buffer): Promise<Buffer> {
  return promisify(gzipCallback)(bytes, { level: GZIP_LEVEL })
}

export function brotli(bytes: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}

/** What `brotli` made small, or the build did. */
export function unbrotli(bytes: Buffer): Buffer {
  return brotliDecompressSync(bytes)
}
