const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Breaks at spaces, and inside words longer than a line, but never inside a grapheme. */
export function wrapText(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && fits(`${line} ${word}`)) {
      line = `${line} ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (!fits(line)) {
      const graphemes = Array.from(GRAPHEMES.segment(line), ({ segment }) => segment)
      let end = graphemes.length - 1
      while (end > 1 && !fits(graphemes.slice(0, end).join(''))) end--
      if (end < 1) break
      lines.push(graphemes.slice(0, end).join(''))
      line = graphemes.slice(end).join('')
    }
  }
  return [...lines, line]
}
