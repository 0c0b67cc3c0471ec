/** Networks show no SVG: a print has a PNG of 1200 x 630 px beside it, a photograph is shown as it is. */
export function sharePicture(imageKey: string | readonly string[]): string {
  const [first = ''] = [imageKey].flat()
  return first.includes('/') ? first : `/art/share/${first}.png`
}
