/**
 * Social networks do not show SVG: every illustration has a PNG of 1200 x 630 px next to it. Photographs are used as
 * they are.
 */
export function sharePicture(imageKey: string | readonly string[]): string {
  const [first = ''] = [imageKey].flat()
  return first.includes('/') ? first : `/art/share/${first}.png`
}
