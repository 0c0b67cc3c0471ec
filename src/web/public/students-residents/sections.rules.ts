/** A part of a page of words: what stands under one heading. */
export interface Section {
  title: string
  /** Sanitised HTML, without the heading. */
  html: string
}

/** The parts of sanitised HTML by their second-level headings; what stands before the first one has no title. */
export function sectionsOf(html: string): Section[] {
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

/** Where each part of the forum's words stands on its page; an officer may rename, add or drop parts. */
export function forumSections(html: string): ForumSections {
  const sections = sectionsOf(html)
  const isAim = ({ title }: Section) => /\b(mission|vision)\b/i.test(title)
  const join = sections.find(({ title }) => /\bjoin/i.test(title)) ?? null
  return {
    aims: sections.filter(isAim),
    join,
    others: sections.filter((section) => section !== join && !isAim(section)),
  }
}
