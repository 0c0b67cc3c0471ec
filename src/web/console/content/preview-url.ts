/** Images on disk; object storage versions its URLs itself. */
const STORED = /^\/media\/|\/(?:articles|gallery|hero|team)\/[^/]+$/

let seenAt = Date.now()

/** A cache-busting URL for previews. */
export function previewUrl(address: string): string {
  return STORED.test(address) ? `${address}?at=${seenAt.toString(36)}` : address
}

/** Makes previews refetch images after a crop. */
export function invalidatePreviews(): void {
  seenAt++
}
