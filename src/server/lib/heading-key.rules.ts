/** A heading without case, spaces and punctuation, under which officers' choices are stored. */
export function headingKey(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
