import type { AppContext } from '#server/app-context.ts'
import type {
  NewsletterBlock,
  NewsletterDetail,
  NewsletterEntry,
  NewsletterTab,
  listNewsletters,
  previewNewsletter,
  saveNewsletter,
} from '#contract/console/newsletter.ts'
import type { BodyOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import type { Email } from '#server/emails/email.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { campaignEmail, UNSUBSCRIBE_PLACEHOLDER } from '../campaign.emails.ts'
import { findCampaign, type CampaignSummary } from '../campaign.queries.ts'
import { listAllCampaigns } from '../campaign.repository.ts'
import { saveCampaign } from '../campaign.commands.ts'
import { addDraft, updateDraft, findDraft, findSchedule, listMailingStates } from './draft.repository.ts'
import { isSchedulePending, listSchedules, type Schedule } from './draft.queries.ts'
import type { MailingService } from '../sending/mailing.service.ts'
import { sendTestNewsletter } from './newsletter-test.emails.ts'
import { eventChoices } from './event-choices.rules.ts'
import { createPreviewToken } from './preview-token.service.ts'
import type { RenderBlocks } from './render-blocks.service.ts'
import { listMailingResults } from '../sending/mailing-results.queries.ts'
import { countSubscribers } from '../subscribers/subscriber.repository.ts'

/** The path of previews of unsent campaigns. */
export const PREVIEW_PATH = '/newsletter/preview'

/** Edits newsletters. Methods on one throw Problem NOT_FOUND, and CHANGED_MEANWHILE on a version conflict. */
export function createComposingService(
  { db, clock, secrets, siteUrl, association, cache, wakeOutbox }: AppContext,
  {
    mailings,
    renderBlocks,
  }: {
    mailings: Pick<MailingService, 'status'>
    renderBlocks: RenderBlocks
  },
) {
  /** @param used ids that blocks already refer to */
  function listChoices(used: ReadonlySet<string>): NewsletterDetail['choices'] {
    const { events, news } = cache.content()
    return {
      events: eventChoices(events.values(), { today: cache.today(), used }),
      news: [...news.values()].map(({ id, title }) => ({ id, title })),
    }
  }

  async function requireCampaign(id: string) {
    const campaign = await findCampaign(db, id)
    if (!campaign) throw new Problem('NOT_FOUND')
    return campaign
  }

  /** The newsletter as an email whose links do not unsubscribe. */
  async function renderPreview(id: string): Promise<Email> {
    const email = campaignEmail(await requireCampaign(id), siteUrl, await association())
    // A page without a token: a test email must not unsubscribe anyone.
    const page = `${siteUrl}/newsletter/unsubscribe`
    return {
      subject: email.subject,
      html: email.html.replaceAll(UNSUBSCRIBE_PLACEHOLDER, page),
      text: email.text.replaceAll(UNSUBSCRIBE_PLACEHOLDER, page),
    }
  }

  async function read(id: string): Promise<NewsletterDetail> {
    const campaign = await requireCampaign(id)
    const [draft, schedule, status, states, counts, results] = await Promise.all([
      findDraft(db, id),
      findSchedule(db, id),
      mailings.status(id),
      listMailingStates(db),
      countSubscribers(db),
      listMailingResults(db, [id]),
    ])
    const { subscribed = 0, pending = 0, left = 0, bounced = 0, complained = 0 } = counts
    return {
      ...toEntry(campaign, schedule, states.get(id)),
      results: results.get(id) ?? null,
      snippet: campaign.snippet,
      blocks: draft?.blocks ?? null,
      version: draft?.version ?? 0,
      readers: subscribed,
      audience: { subscribed, pending, left, bounced, complained },
      refused: schedule?.refused ?? null,
      mailing: status && {
        ...status.counts,
        waiting: status.counts.waiting + status.counts.sending,
        recipients: status.mailing.recipients,
        lastError: status.mailing.lastError,
      },
      choices: listChoices(new Set(draft?.blocks.flatMap((block) => ('id' in block ? [block.id] : [])))),
    }
  }

  async function requireOpen(id: string, version: number): Promise<void> {
    const [campaign, draft, schedule] = await Promise.all([
      requireCampaign(id),
      findDraft(db, id),
      findSchedule(db, id),
    ])
    if (campaign.sentAt !== null || isSchedulePending(schedule)) throw new Problem('NEWSLETTER_FIXED')
    if ((draft?.version ?? 0) !== version) throw new Problem('CHANGED_MEANWHILE')
  }

  return {
    read,
    renderPreview,
    /** @throws Problem NEWSLETTER_FIXED when it was sent or is scheduled */
    requireEditable: requireOpen,

    async list({ tab, q = '', page, size }: QueryOf<typeof listNewsletters>): Promise<ReplyOf<typeof listNewsletters>> {
      const [campaigns, schedules, states, { subscribed = 0 }] = await Promise.all([
        listAllCampaigns(db),
        listSchedules(db),
        listMailingStates(db),
        countSubscribers(db),
      ])
      const scheduled = new Map(schedules.map((schedule) => [schedule.campaignId, schedule]))
      const entries = campaigns.map((campaign) =>
        toEntry(campaign, scheduled.get(campaign.id) ?? null, states.get(campaign.id)),
      )
      const search = q.toLowerCase()
      const found = entries.filter(
        (entry) => isInTab(entry, tab) && `${entry.name} ${entry.subject}`.toLowerCase().includes(search),
      )
      const shown = found.slice((page - 1) * size, page * size)
      const results = await listMailingResults(
        db,
        shown.map(({ id }) => id),
      )
      const count = (one: NewsletterTab) => entries.filter((entry) => isInTab(entry, one)).length
      return {
        newsletters: shown.map((entry) => ({ ...entry, results: results.get(entry.id) ?? null })),
        total: found.length,
        counts: { all: entries.length, drafts: count('drafts'), scheduled: count('scheduled'), sent: count('sent') },
        subscribers: subscribed,
      }
    },

    async create(by: Officer, name: string): Promise<NewsletterDetail> {
      const now = clock.now()
      const id = newId(now)
      const blocks: NewsletterBlock[] = [{ kind: 'text', markdown: 'Dear friends,' }]
      const content = { name, subject: name, snippet: name, ...(await renderBlocks(blocks)) }
      await db.transaction().execute(async (tx) => {
        const defaults = { picture: null, canEmbed: true, hasView: true, createdAt: now, updatedAt: now, sentAt: null }
        await saveCampaign(tx, { id, ...content, ...defaults })
        await addDraft(tx, { campaignId: id, blocks, version: 1 }, by.accountId, now)
        const details = { after: { name } }
        await writeAudit(tx, { actor: by.accountId, action: 'newsletter.begun', subjectId: id, details }, now)
      })
      return read(id)
    },

    /** @throws as `requireEditable` does */
    async save(
      by: Officer,
      id: string,
      { blocks, version, ...fields }: BodyOf<typeof saveNewsletter>,
    ): Promise<NewsletterDetail> {
      await requireOpen(id, version)
      requirePhotos(blocks)
      const before = await requireCampaign(id)
      const content = await renderBlocks(blocks)
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        // Also throws if another officer has just sent or scheduled it: both increment the version.
        if (!(await updateDraft(tx, { campaignId: id, blocks, version }, by.accountId, now)))
          throw new Problem('CHANGED_MEANWHILE')
        await saveCampaign(tx, { ...before, ...fields, ...content, updatedAt: now })
      })
      return read(id)
    },

    async preview(id: string): Promise<ReplyOf<typeof previewNewsletter>> {
      const { subject, html, text } = await renderPreview(id)
      const query = new URLSearchParams({ token: createPreviewToken(secrets, id, clock.now()) })
      return { subject, html, text, path: `${PREVIEW_PATH}?${query}` }
    },

    /** The HTML of a preview; null if the campaign does not exist. */
    findPreviewHtml: async (id: string): Promise<string | null> =>
      (await findCampaign(db, id)) ? (await renderPreview(id)).html : null,

    async sendTest(by: Officer, id: string): Promise<string> {
      await requireCampaign(id)
      const now = clock.now()
      const payload = { campaignId: id, email: by.email }
      await addToOutbox(db, { effect: sendTestNewsletter, payload }, now)
      await writeAudit(db, { actor: by.accountId, action: 'newsletter.tested', subjectId: id, details: {} }, now)
      wakeOutbox()
      return by.email
    },
  }
}

export type ComposingService = ReturnType<typeof createComposingService>

/** @throws Problem INVALID_INPUT with a message for each invalid block */
function requirePhotos(blocks: readonly NewsletterBlock[]): void {
  const errors = blocks.flatMap((block, index) =>
    block.kind === 'picture' && block.src.endsWith('.svg')
      ? [[`blocks.${index}.src`, 'Email apps do not show SVG images. Please choose a photo.'] as const]
      : [],
  )
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { fields: Object.fromEntries(errors) })
}

function toEntry(
  { id, name, subject, updatedAt, sentAt }: CampaignSummary,
  schedule: Schedule | null,
  mailing: 'sending' | 'paused' | 'finished' | undefined,
): NewsletterEntry {
  const isScheduled = isSchedulePending(schedule) && sentAt === null
  const unsent = isScheduled ? 'scheduled' : 'draft'
  return {
    id,
    name,
    subject,
    state: mailing ?? (sentAt === null ? unsent : 'archived'),
    updatedAt: new Date(updatedAt).toISOString(),
    sentAt: sentAt === null ? null : new Date(sentAt).toISOString(),
    scheduledFor: isScheduled ? new Date(schedule.dueAt).toISOString() : null,
    results: null,
  }
}

function isInTab({ state }: NewsletterEntry, tab: NewsletterTab): boolean {
  if (tab === 'all') return true
  if (tab === 'drafts') return state === 'draft'
  if (tab === 'scheduled') return state === 'scheduled'
  return state !== 'draft' && state !== 'scheduled'
}
