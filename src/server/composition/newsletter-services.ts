import type { AppContext } from '#server/app-context.ts'
import { createMemberAudience } from '#server/features/member-email/audience.service.ts'
import { createTopicChoices } from '#server/features/email-topics/topic-choices.service.ts'
import { permissionToSend } from '#server/features/member-email/member-email.queries.ts'
import { createMemberEmailService } from '#server/features/member-email/emails-to-members.service.ts'
import { createMemberMailing } from '#server/features/member-email/member-mailing.service.ts'
import { createPostPile } from '#server/features/member-email/post-pile.service.ts'
import { createProofService } from '#server/features/member-email/proof.service.ts'
import { createArchiveService } from '#server/features/newsletter/archive.service.ts'
import { createCampaignEditor } from '#server/features/newsletter/composing/campaign-editor.service.ts'
import { createCampaignPreview } from '#server/features/newsletter/composing/campaign-preview.service.ts'
import { createComposingService } from '#server/features/newsletter/composing/composing.service.ts'
import { createBlockRenderer } from '#server/features/newsletter/composing/render-blocks.service.ts'
import type { MailingLists } from '#server/features/newsletter/sending/mailing-lists.registry.ts'
import { createMailingService } from '#server/features/newsletter/sending/mailing.service.ts'
import { createSendingService } from '#server/features/newsletter/sending/sending.service.ts'
import { createSubscriberMailing } from '#server/features/newsletter/sending/subscriber-mailing.service.ts'
import { createBouncesService } from '#server/features/newsletter/subscribers/bounces.service.ts'
import { createNewsletterService } from '#server/features/newsletter/subscribers/newsletter.service.ts'
import { createSubscribersService } from '#server/features/newsletter/subscribers/subscriber-list.service.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import type { MediaTools } from './services.ts'

/** The services of the newsletter and of emails to members, which are composed and sent by the same machine. */
export function createNewsletterServices(ctx: AppContext, { heldWork, ...media }: MediaTools & { heldWork: HeldWork }) {
  const newsletter = createNewsletterService(ctx)
  const audiences = createMemberAudience(ctx)
  const mailingLists: MailingLists = {
    subscribers: createSubscriberMailing(ctx),
    members: createMemberMailing(ctx, { audiences }),
  }
  const lists = { lists: mailingLists }
  const mailings = createMailingService(ctx, lists)
  const renderBlocks = createBlockRenderer(ctx, media)
  const previews = createCampaignPreview(ctx, lists)
  const tools = { mailings, previews, renderBlocks }
  const editor = createCampaignEditor(ctx, { ...tools, recipients: 'subscribers' })
  const memberEditor = createCampaignEditor(ctx, { ...tools, recipients: 'members' })
  const sender = { mailings, heldWork, permissionFor: permissionToSend }
  const memberSending = createSendingService(ctx, { ...sender, recipients: 'members', editor: memberEditor })
  const postPile = createPostPile(ctx, { editor: memberEditor, audiences })
  return {
    newsletter,
    audiences,
    renderBlocks,
    mailingLists,
    mailings,
    previews,
    archive: createArchiveService(ctx),
    subscribers: createSubscribersService(ctx, { newsletter }),
    bounces: createBouncesService(ctx, lists),
    composing: createComposingService(ctx, { editor }),
    sending: createSendingService(ctx, { ...sender, recipients: 'subscribers', editor }),

    memberSending,
    postPile,
    emailsToMembers: createMemberEmailService(ctx, {
      editor: memberEditor,
      sending: memberSending,
      audiences,
      postPile,
    }),
    proofs: createProofService(ctx, { editor: memberEditor }),
    emailTopics: createTopicChoices(ctx),
  }
}
