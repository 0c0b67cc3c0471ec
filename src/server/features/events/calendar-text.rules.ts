/** A property with its parameters, such as `DTSTART;VALUE=DATE`, and its value as it is written. */
export type CalendarLine = [property: string, value: string]

// RFC 5545, 3.1: at most 75 octets a line; a continuation begins with a space, which counts.
const LONGEST_LINE = 75

/** The lines of an iCalendar file (RFC 5545): folded, each ended by CR and LF. */
export function calendarText(lines: readonly CalendarLine[]): string {
  return lines.map(([property, value]) => `${fold(`${property}:${value}`)}\r\n`).join('')
}

/** A value of type TEXT (RFC 5545, 3.3.11): what would end or divide it is escaped, other control characters are left out. */
export function calendarWords(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- these are what must not be written
      .replaceAll(/[\u0000-\u0009\u000B-\u001F\u007F]/g, ' ')
      .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
      .replaceAll('\n', String.raw`\n`)
  )
}

/** Counts octets, and never parts a character. */
function fold(line: string): string {
  const parts: string[] = []
  let part = ''
  let room = LONGEST_LINE
  for (const character of line) {
    const octets = Buffer.byteLength(character)
    if (octets > room) {
      parts.push(part)
      part = ''
      room = LONGEST_LINE - 1
    }
    part += character
    room -= octets
  }
  return [...parts, part].join('\r\n ')
}
