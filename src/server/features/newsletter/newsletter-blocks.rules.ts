import type { NewsletterBlock } from '#contract/console-newsletter.ts'

/** What blocks may show of the site. */
export interface BlockSources {
  event(id: string): { title: string; date: string; location: string; description: string; calledOff?: string } | null
  news(id: string): { title: string; excerpt: string } | null
  /** The size of a stored picture that letters show, and how many pixels wide it stands there. */
  picture(address: string): { src: string; width: number } | null
}

/**
 * A newsletter's blocks as the Markdown that letters are printed from. What an event or news item said no longer exists is left out.
 * A link alone in bold on its line is printed as a button.
 */
export function markdownOf(blocks: readonly NewsletterBlock[], sources: BlockSources): string {
  return blocks
    .map((block) => blockMarkdown(block, sources))
    .filter(Boolean)
    .join('\n\n')
}

function blockMarkdown(block: NewsletterBlock, { event, news, picture }: BlockSources): string {
  switch (block.kind) {
    case 'text':
      return block.markdown
    case 'picture': {
      const found = picture(block.src)
      if (!found) return `![${plain(block.alt)}](${block.src})`
      return `<p><img src="${quoted(found.src)}" alt="${quoted(block.alt)}" width="${found.width}"></p>`
    }
    case 'button':
      return `**[${plain(block.label)}](${block.url})**`
    case 'event': {
      const found = event(block.id)
      if (!found) return ''
      const { title, date, location, description, calledOff } = found
      return `### [${calledOff === undefined ? '' : 'Canceled: '}${plain(title)}](/events/${block.id})\n\n**${plain(date)}**, ${plain(location)}\n\n${plain(description)}`
    }
    case 'news': {
      const found = news(block.id)
      return found ? `### [${plain(found.title)}](/news/${block.id})\n\n${plain(found.excerpt)}` : ''
    }
  }
}

function quoted(text: string): string {
  return text.replaceAll(/[&<>"\n]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Words that mean nothing but themselves in Markdown. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, (sign) => `\\${sign}`)
}
