/** Why a file is not stored, in a sentence for the person who chose it. */
export class RefusedPicture extends Error {
  override readonly name = 'RefusedPicture'
}

/** Tells whoever chose it what to do; a limit of the worker's process may be what stopped it. */
export const PICTURE_NEEDS_TOO_MUCH =
  'This picture takes more memory to open than the site has for one. Save it smaller, or as an ordinary JPEG, and add that.'
export const PICTURE_TAKES_TOO_LONG =
  'This picture takes longer to prepare than the site can wait. Save it smaller and add that.'
