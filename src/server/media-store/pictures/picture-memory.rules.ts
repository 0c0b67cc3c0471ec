/** What the header of a picture says of it, as the picture library reads it. */
export interface PictureFacts {
  format: string
  width: number
  height: number
  channels: number
  /** Such as `uchar` (8 bits) or `ushort` (16 bits). */
  depth: string
  /** Progressive (JPEG) or interlaced (PNG). */
  isProgressive?: boolean
  chromaSubsampling?: string
  /** Of a moving picture: the height of one of its frames. */
  pageHeight?: number
}

const MB = 1024 * 1024
/** With the process around it, a picture of so many bytes stays within `WORKER_MEMORY_KB`. */
export const MOST_DECODED_BYTES = 160 * MB

/**
 * Bytes that decoding keeps in memory at once, as measured with libvips 8.18 for each format. What is decoded line by line needs next to nothing, however
 * large it is; what comes in several passes, or only as a whole, is held until its last line.
 */
export function decodedBytes(facts: PictureFacts): number {
  const { format, width, height, channels, isProgressive = false } = facts
  const pixels = width * height
  const sampleBytes = facts.depth === 'uchar' ? 1 : 2
  if (format === 'jpeg') return isProgressive ? pixels * COEFFICIENT_BYTES * componentsOf(facts) : 0
  if (format === 'png') return isProgressive ? pixels * channels * sampleBytes : 0
  if (format === 'webp') return pixels * WEBP_BYTES
  if (format === 'heif') return pixels * AVIF_BYTES * (sampleBytes === 1 ? 1 : 1.6)
  if (format === 'gif') return width * (facts.pageHeight ?? height) * GIF_BYTES
  return pixels * channels * sampleBytes
}

/** A progressive JPEG is kept as coefficients until its last scan. */
const COEFFICIENT_BYTES = 2
/** Lossless, which its header hides: four channels, and the row that is predicted from. */
const WEBP_BYTES = 4.5
/** The decoder's frame, its planes and the picture made of them. */
const AVIF_BYTES = 18
/** Two canvases of four channels. */
const GIF_BYTES = 8

/** Per pixel: color is often kept at half the resolution. */
function componentsOf({ channels, chromaSubsampling = '' }: PictureFacts): number {
  if (channels === 3 && chromaSubsampling.startsWith('4:2:0')) return 1.5
  if (channels === 3 && chromaSubsampling.startsWith('4:2:2')) return 2
  return channels
}
