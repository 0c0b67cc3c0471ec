/** The `srcset` value for one image format. */
export function srcSet(sizes: readonly { url: string; width: number; type: string }[], type: string): string {
  return sizes
    .filter((size) => size.type === type)
    .map((size) => `${size.url} ${size.width}w`)
    .join(', ')
}

/** The URL for an image key, or for the first of several: a path or URL as it is, a name in `public/art`. */
export function imageUrl(imageKey: string | readonly string[]): string {
  const [first = ''] = [imageKey].flat()
  return first.includes('/') ? first : `/art/${first}.svg`
}
