/** The sizes of a picture in one format, as HTML writes them in `srcset`. */
export function sourceSet(sizes: readonly { url: string; width: number; type: string }[], type: string): string {
  return sizes
    .filter((size) => size.type === type)
    .map((size) => `${size.url} ${size.width}w`)
    .join(', ')
}

/** Where a picture's key leads, the first of several: a path or address as it is, a name to the prints of `public/art`. */
export function pictureAddress(imageKey: string | readonly string[]): string {
  const [first = ''] = [imageKey].flat()
  return first.includes('/') ? first : `/art/${first}.svg`
}
