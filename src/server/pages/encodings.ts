import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants, gzip as gzipCallback, gzipSync } from 'node:zlib'

/** The supported content encodings, smallest first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

const MAX_CACHED = 200
const cache = new Map<string, readonly Encoding[]>()
const ONLY_IDENTITY: readonly Encoding[] = ['identity']

/**
 * The encodings that a browser accepts, by preference, then by size. `identity` is always included, last if it is not acceptable: a response that the
 * browser cannot use is better than none.
 */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (!header) return ONLY_IDENTITY
  const cached = cache.get(header)
  if (cached) return cached
  const parsed = parse(header)
  // Browsers send only a few different headers; the limit protects against clients that send thousands.
  if (cache.size < MAX_CACHED) cache.set(header, parsed)
  return parsed
}

function parse(header: string): readonly Encoding[] {
  const qualities = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    if (name) qualities.set(name === 'x-gzip' ? 'gzip' : name, quality ? Number(quality.slice(2)) || 0 : 1)
  }
  // `identity` is acceptable unless excluded, but any listed encoding is preferred.
  const defaults = { br: 0, gzip: 0, identity: qualities.get('*') ?? 0.0001 }
  const accepted = ENCODINGS.map((encoding) => ({
    encoding,
    quality: qualities.get(encoding) ?? qualities.get('*') ?? defaults[encoding],
  }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ encoding }) => encoding)
  return accepted.includes('identity') ? accepted : [...accepted, 'identity']
}

/** Almost the best compression in a tenth of the time: pages are compressed at run time. */
const BROTLI_QUALITY = 9
const GZIP_LEVEL = 6

/** Synchronous: takes a millisecond or two for a page, so even the first visitor gets it compressed. */
export function gzip(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: GZIP_LEVEL })
}

/** The asynchronous version, for larger bodies. */
export function gzipAsync(bytes: Buffer): Promise<Buffer> {
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

/** Decompresses the output of `brotli` or of the build. */
export function unbrotli(bytes: Buffer): Buffer {
  return brotliDecompressSync(bytes)
}
