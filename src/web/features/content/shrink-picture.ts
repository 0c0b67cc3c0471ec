/** Wider than any page shows a picture; the server keeps no more either. */
const WIDEST = 2_400
const SMALL_ENOUGH_BYTES = 2 * 1024 * 1024
const SHRINKABLE = /^image\/(jpeg|png|webp|heic|heif)$/

/** What a phone's camera took, as small as the site needs it before it crosses a slow network; anything else as it is. */
export async function shrinkPicture(file: File): Promise<{ file: Blob; filename: string }> {
  const asItIs = { file, filename: file.name }
  if (file.size <= SMALL_ENOUGH_BYTES || !SHRINKABLE.test(file.type)) return asItIs
  try {
    const whole = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const width = Math.min(WIDEST, whole.width)
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = Math.round((whole.height * width) / whole.width)
    canvas.getContext('2d')?.drawImage(whole, 0, 0, canvas.width, canvas.height)
    const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.88))
    return smaller ? { file: smaller, filename: file.name.replace(/(\.\w+)?$/, '.jpg') } : asItIs
  } catch {
    // A picture this browser cannot open: the server says what it makes of it.
    return asItIs
  }
}
