import type { NewsletterBlock } from '#contract/console-newsletter.ts'

/** What blocks may show of the site. */
export interface BlockSources {
  event(id: string): { title: string; date: string; location: string; description: string } | null
  news(id: string): { title: string; excerpt: string } | null
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

function blockMarkdown(block: NewsletterBlock, { event, news }: BlockSources): string {
  switch (block.kind) {
    case 'text':
      return block.markdown
    case 'picture':
      return `![${plain(block.alt)}](${block.src})`
    case 'button':
      return `**[${plain(block.label)}](${block.url})**`
    case 'event': {
      const found = event(block.id)
      if (!found) return ''
      const { title, date, location, description } = found
      return `### [${plain(title)}](/events/${block.id})\n\n**${plain(date)}**, ${plain(location)}\n\n${plain(description)}`
    }
    case 'news': {
      const found = news(block.id)
      return found ? `### [${plain(found.title)}](/news/${block.id})\n\n${plain(found.excerpt)}` : ''
    }
  }
}

/** Words that mean nothing but themselves in Markdown. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, (sign) => `\\${sign}`)
}
