/** A section of a text page, under one heading. */
export interface Section {
  title: string
  /** Sanitized HTML, without the heading. */
  html: string
}

/** Splits sanitized HTML at its second-level headings. Content before the first one has no title. */
export function splitIntoSections(html: string): Section[] {
  return html
    .split(/(?=<h2[ >])/)
    .map((part) => {
      const heading = /^<h2[^>]*>([^]*?)<\/h2>/.exec(part)
      return {
        title: (heading?.[1] ?? '').replaceAll(/<[^<>]*>/g, '').trim(),
        html: part.slice(heading?.[0].length ?? 0).trim(),
      }
    })
    .filter(({ title, html: rest }) => title || rest)
}

export interface ForumSections {
  /** Mission and vision. */
  aims: Section[]
  join: Section | null
  others: Section[]
}

/** Assigns each section to its place on the forum page; officers may rename, add or remove sections. */
export function groupForumSections(html: string): ForumSections {
  const sections = splitIntoSections(html)
  const isAim = ({ title }: Section) => /\b(mission|vision)\b/i.test(title)
  const join = sections.find(({ title }) => /\bjoin/i.test(title)) ?? null
  return {
    aims: sections.filter(isAim),
    join,
    others: sections.filter((section) => section !== join && !isAim(section)),
  }
}
