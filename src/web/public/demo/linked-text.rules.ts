interface TextPart {
  text: string
  /** Where a link of this site leads; null for text, and for links elsewhere, since a visitor may have written them. */
  path: string | null
}

/** The text of an email, in parts: links to the site itself, and everything else. */
export function linkedText(text: string, siteUrl: string): TextPart[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part) => ({ text: part, path: part.startsWith(`${siteUrl}/`) ? part.slice(siteUrl.length) : null }))
}
