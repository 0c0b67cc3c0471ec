import type { AppContext } from '#server/app-context.ts'
import type { NewsletterBlock } from '#contract/console/newsletter.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { listUsedPictures } from '#server/features/media/present-pictures.service.ts'
import { contentFromMarkdown, type CampaignContent } from './campaign-text.service.ts'
import { blocksToMarkdown } from './newsletter-blocks.rules.ts'
import { emailPictures } from './newsletter-pictures.service.ts'

export type RenderBlocks = (blocks: readonly NewsletterBlock[]) => Promise<CampaignContent>

/** Renders the blocks of a newsletter for email, with events and news as published now. */
export function createBlockRenderer(
  { cache }: AppContext,
  { pictures }: { pictures: Pick<PicturesService, 'pictures'> },
): RenderBlocks {
  return async (blocks) => {
    const used = await listUsedPictures(pictures, JSON.stringify(blocks))
    const inEmail = emailPictures(used.flat())
    return contentFromMarkdown(
      blocksToMarkdown(blocks, {
        findEvent: (id) => cache.content().events.get(id) ?? null,
        findNews: (id) => cache.content().news.get(id) ?? null,
      }),
      inEmail,
    )
  }
}
