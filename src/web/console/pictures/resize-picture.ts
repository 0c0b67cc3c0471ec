import { PICTURE_IS_HEIC, PICTURE_MAX_BYTES, PICTURE_TOO_LARGE } from '#contract/console/media.ts'

/** The largest width shown on any page, and stored by the server. */
const WIDEST = 2_400
/** Small enough to upload on a slow network before the server times out. */
const SMALL_ENOUGH_BYTES = 1024 * 1024
const SHRINKABLE = /^image\/(jpeg|png|webp|avif|heic|heif)$/
const HEIC = /^image\/hei[cf]$/

/** The file to upload, or the error message. */
export type ResizedPicture = { file: Blob; filename: string; refused: null } | { refused: string }

/** Resizes photos before upload; returns other files unchanged. */
export async function resizePicture(file: File): Promise<ResizedPicture> {
  const isHeic = HEIC.test(file.type) || /\.hei[cf]$/i.test(file.name)
  const isShrunk = isHeic || (file.size > SMALL_ENOUGH_BYTES && SHRINKABLE.test(file.type))
  const smaller = isShrunk ? await redraw(file) : null
  if (smaller) return { file: smaller, filename: file.name.replace(/(\.\w+)?$/, '.jpg'), refused: null }
  // Upload images this browser cannot decode unchanged; the server validates them.
  if (isHeic) return { refused: PICTURE_IS_HEIC }
  if (file.size > PICTURE_MAX_BYTES) return { refused: PICTURE_TOO_LARGE }
  return { file, filename: file.name, refused: null }
}

async function redraw(file: File): Promise<Blob | null> {
  try {
    const whole = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const width = Math.min(WIDEST, whole.width)
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = Math.round((whole.height * width) / whole.width)
    const context = canvas.getContext('2d')
    if (!context) return null
    // Transparent areas would turn black in JPEG.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(whole, 0, 0, canvas.width, canvas.height)
    whole.close()
    return await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.88))
  } catch {
    return null
  }
}
