/** Where a picture's key leads, the first of several: a path or address as it is, a name to the prints of `public/art`. */
export function pictureAddress(imageKey: string | readonly string[]): string {
  const [first = ''] = [imageKey].flat()
  return first.includes('/') ? first : `/art/${first}.svg`
}
