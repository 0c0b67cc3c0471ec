/** Markup that is inserted without escaping. */
export type Markup = { markup: string }

type Piece = Markup | Markup[] | string | number | null | undefined | false

/** A template tag that escapes its values unless they are markup. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return { markup: strings.reduce((text, part, index) => text + render(pieces[index - 1]) + part) }
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (Array.isArray(piece)) return piece.map(({ markup }) => markup).join('')
  return typeof piece === 'object' ? piece.markup : escapeHtml(String(piece))
}
