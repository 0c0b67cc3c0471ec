import type { AppContext } from '#server/app-context.ts'
import { createArchiveService } from '#server/features/newsletter/archive.service.ts'
import { createComposingService } from '#server/features/newsletter/composing/composing.service.ts'
import { createBlockRenderer } from '#server/features/newsletter/composing/render-blocks.service.ts'
import { createMailingService } from '#server/features/newsletter/sending/mailing.service.ts'
import { createSendingService } from '#server/features/newsletter/sending/sending.service.ts'
import { createBouncesService } from '#server/features/newsletter/subscribers/bounces.service.ts'
import { createNewsletterService } from '#server/features/newsletter/subscribers/newsletter.service.ts'
import { createSubscribersService } from '#server/features/newsletter/subscribers/subscriber-list.service.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import type { MediaTools } from './services.ts'

/** The services of the newsletter: subscribers, composing, sending and the archive. */
export function createNewsletterServices(ctx: AppContext, { heldWork, ...media }: MediaTools & { heldWork: HeldWork }) {
  const newsletter = createNewsletterService(ctx)
  const mailings = createMailingService(ctx)
  const renderBlocks = createBlockRenderer(ctx, media)
  const composing = createComposingService(ctx, { mailings, renderBlocks })
  return {
    newsletter,
    renderBlocks,
    archive: createArchiveService(ctx),
    subscribers: createSubscribersService(ctx, { newsletter }),
    bounces: createBouncesService(ctx),
    mailings,
    composing,
    sending: createSendingService(ctx, { composing, mailings, heldWork }),
  }
}
