/** On the disk; object storage marks the address of each version itself when it is listed. */
const STORED = /^\/media\/|\/(?:articles|gallery|hero|team)\/[^/]+$/

let seenAt = Date.now()

/** Where a preview finds a picture as it is now, whatever this browser remembers of it. */
export function freshAddress(address: string): string {
  return STORED.test(address) ? `${address}?at=${seenAt.toString(36)}` : address
}

/** A picture was cropped or given back: previews look anew. */
export function forgetSeenPictures(): void {
  seenAt++
}
