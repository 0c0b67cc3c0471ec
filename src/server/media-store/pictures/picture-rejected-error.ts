/** Thrown if a file cannot be stored; the message is shown to the officer. */
export class PictureRejectedError extends Error {
  override readonly name = 'RefusedPicture'
}

export const PICTURE_NEEDS_TOO_MUCH_MEMORY =
  'This picture needs too much memory. Save a smaller version, or a standard JPEG, and add that.'
export const PICTURE_TIMED_OUT = 'This picture takes too long to process. Save a smaller version and add that.'
