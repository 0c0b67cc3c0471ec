import { WORDS_FOLDER } from '#contract/media.ts'

let seenAt = Date.now()

/** Where a preview finds a picture as it is now, whatever this browser remembers of it. */
export function freshAddress(address: string): string {
  return address.includes(`/${WORDS_FOLDER.folder}/`) ? `${address}?at=${seenAt.toString(36)}` : address
}

/** A picture was cropped or given back: previews look anew. */
export function forgetSeenPictures(): void {
  seenAt++
}
