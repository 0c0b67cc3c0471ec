import type { NewsletterBlock } from '#contract/console/newsletter.ts'

/** The site content that blocks can refer to. */
export interface BlockSources {
  findEvent(
    id: string,
  ): { title: string; date: string; location: string; description: string; calledOff?: string } | null
  findNews(id: string): { title: string; excerpt: string } | null
}

/**
 * Converts a newsletter's blocks to Markdown. Blocks of deleted events and news items are omitted.
 * A paragraph that is just a bold link is rendered as a button.
 */
export function blocksToMarkdown(blocks: readonly NewsletterBlock[], sources: BlockSources): string {
  return blocks
    .map((block) => blockMarkdown(block, sources))
    .filter(Boolean)
    .join('\n\n')
}

function blockMarkdown(block: NewsletterBlock, { findEvent: event, findNews: news }: BlockSources): string {
  switch (block.kind) {
    case 'text':
      return block.markdown
    case 'picture':
      return `![${escapeMarkdown(block.alt)}](${block.src})`
    case 'button':
      return `**[${escapeMarkdown(block.label)}](${block.url})**`
    case 'event': {
      const found = event(block.id)
      if (!found) return ''
      const { title, date, location, description, calledOff } = found
      return `### [${calledOff === undefined ? '' : 'Canceled: '}${escapeMarkdown(title)}](/events/${block.id})\n\n**${escapeMarkdown(date)}**, ${escapeMarkdown(location)}\n\n${escapeMarkdown(description)}`
    }
    case 'news': {
      const found = news(block.id)
      return found ? `### [${escapeMarkdown(found.title)}](/news/${block.id})\n\n${escapeMarkdown(found.excerpt)}` : ''
    }
  }
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, (character) => `\\${character}`)
}
