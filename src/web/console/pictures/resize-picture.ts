import { PICTURE_IS_HEIC, MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from '#contract/console-media.ts'

/** Wider than any page shows a picture; the server keeps no more either. */
const WIDEST = 2_400
/** What a slow network carries before the server gives up waiting. */
const SMALL_ENOUGH_BYTES = 1024 * 1024
const SHRINKABLE = /^image\/(jpeg|png|webp|avif|heic|heif)$/
const HEIC = /^image\/hei[cf]$/

/** What is sent, or why it is not, in a sentence for the person who chose it. */
export type ReadyPicture = { file: Blob; filename: string; refused: null } | { refused: string }

/** What a phone's camera took, as small as the site needs it before it crosses a slow network; anything else as it is. */
export async function shrinkPicture(file: File): Promise<ReadyPicture> {
  const isHeic = HEIC.test(file.type) || /\.hei[cf]$/i.test(file.name)
  const isShrunk = isHeic || (file.size > SMALL_ENOUGH_BYTES && SHRINKABLE.test(file.type))
  const smaller = isShrunk ? await redraw(file) : null
  if (smaller) return { file: smaller, filename: file.name.replace(/(\.\w+)?$/, '.jpg'), refused: null }
  // A picture this browser cannot open goes as it is: the server says what it makes of it.
  if (isHeic) return { refused: PICTURE_IS_HEIC }
  if (file.size > MOST_PICTURE_BYTES) return { refused: PICTURE_TOO_LARGE }
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
    // What is transparent would be black.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(whole, 0, 0, canvas.width, canvas.height)
    whole.close()
    return await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.88))
  } catch {
    return null
  }
}
