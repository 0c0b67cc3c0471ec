/** A picture's metadata, as sharp reads it from the header. */
export interface PictureMetadata {
  format: string
  width: number
  height: number
  channels: number
  /** Such as `uchar` (8 bits) or `ushort` (16 bits). */
  depth: string
  /** Progressive (JPEG) or interlaced (PNG). */
  isProgressive?: boolean
  chromaSubsampling?: string
  /** For an animation: the height of one frame. */
  pageHeight?: number
}

const MB = 1024 * 1024
/** A picture of this decoded size, plus the process, stays within `WORKER_MEMORY_KB`. */
export const MAX_DECODED_BYTES = 160 * MB

/**
 * The peak memory of decoding in bytes, as measured with libvips 8.18 for each format. Formats decoded line by line need almost nothing, regardless of size;
 * progressive and whole-image formats are buffered completely.
 */
export function decodedBytes(metadata: PictureMetadata): number {
  const { format, width, height, channels, isProgressive = false } = metadata
  const pixels = width * height
  const sampleBytes = metadata.depth === 'uchar' ? 1 : 2
  if (format === 'jpeg') return isProgressive ? pixels * COEFFICIENT_BYTES * componentsOf(metadata) : 0
  if (format === 'png') return isProgressive ? pixels * channels * sampleBytes : 0
  if (format === 'webp') return pixels * WEBP_BYTES
  if (format === 'heif') return pixels * AVIF_BYTES * (sampleBytes === 1 ? 1 : 1.6)
  if (format === 'gif') return width * (metadata.pageHeight ?? height) * GIF_BYTES
  return pixels * channels * sampleBytes
}

/** A progressive JPEG is buffered as coefficients until its last scan. */
const COEFFICIENT_BYTES = 2
/** Assumes lossless, which the header does not show: four channels plus the prediction row. */
const WEBP_BYTES = 4.5
/** The decoder's frame, its planes and the converted picture. */
const AVIF_BYTES = 18
/** Two canvases of four channels. */
const GIF_BYTES = 8

/** Components per pixel: color often has half the resolution. */
function componentsOf({ channels, chromaSubsampling = '' }: PictureMetadata): number {
  if (channels === 3 && chromaSubsampling.startsWith('4:2:0')) return 1.5
  if (channels === 3 && chromaSubsampling.startsWith('4:2:2')) return 2
  return channels
}
