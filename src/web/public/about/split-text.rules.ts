/** Splits sanitized HTML before its second heading, so that something can stand between the sections. */
export function splitFirstSection(html: string): [first: string, rest: string] {
  const second = html.indexOf('<h2', html.indexOf('<h2') + 1)
  return html.includes('<h2') && second > 0 ? [html.slice(0, second), html.slice(second)] : [html, '']
}
