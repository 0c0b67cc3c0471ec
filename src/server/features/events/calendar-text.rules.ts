/** A property with its parameters, such as `DTSTART;VALUE=DATE`, and its serialized value. */
export type CalendarLine = [property: string, value: string]

// RFC 5545, 3.1: at most 75 octets per line; a continuation line begins with a space, which counts.
const LONGEST_LINE = 75

/** Serializes the lines of an iCalendar file (RFC 5545): folded, each terminated by CRLF. */
export function formatCalendar(lines: readonly CalendarLine[]): string {
  return lines.map(([property, value]) => `${fold(`${property}:${value}`)}\r\n`).join('')
}

/** Escapes a value of type TEXT (RFC 5545, 3.3.11) and replaces control characters by spaces. */
export function escapeCalendarText(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
      .replaceAll(/[\u0000-\u0009\u000B-\u001F\u007F]/g, ' ')
      .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
      .replaceAll('\n', String.raw`\n`)
  )
}

/** Counts octets and never splits a character. */
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
