/** Of a field that has lines for room only: its lines as one, without the spaces around each. */
export function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
}
