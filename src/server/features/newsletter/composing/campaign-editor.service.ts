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
import type { Db } from '#server/db/database.ts'
import type { CampaignRecipients } from '#server/db/schema/newsletter-schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { findCampaign, type CampaignSummary, type StoredCampaign } from '../campaign.queries.ts'
import { listAllCampaigns } from '../campaign.repository.ts'
import { saveCampaign } from '../campaign.commands.ts'
import { AUDIT_SUBJECTS } from '../campaign.rules.ts'
import {
  addDraft,
  updateDraft,
  findDraft,
  findSchedule,
  listMailingStates,
  type MailingState,
} from './draft.repository.ts'
import { isSchedulePending, listSchedules, type Schedule } from './draft.queries.ts'
import type { MailingService } from '../sending/mailing.service.ts'
import type { CampaignPreview } from './campaign-preview.service.ts'
import { sendTestNewsletter } from './newsletter-test.emails.ts'
import { eventChoices } from './event-choices.rules.ts'
import { createPreviewToken } from './preview-token.service.ts'
import type { RenderBlocks } from './render-blocks.service.ts'
import { listMailingResults } from '../sending/mailing-results.queries.ts'

/** The path of previews of unsent campaigns. */
export const PREVIEW_PATH = '/newsletter/preview'

/** What the editor shows of a newsletter and of an email to members alike. */
export type CampaignDetail = Omit<NewsletterDetail, 'readers' | 'audience'>

/**
 * Edits newsletters, or emails to members: what goes to other recipients is not found. Methods on one throw Problem NOT_FOUND, and CHANGED_MEANWHILE on a
 * version conflict.
 */
export function createCampaignEditor(
  { db, clock, secrets, cache, wakeOutbox }: AppContext,
  {
    recipients,
    mailings,
    previews,
    renderBlocks,
  }: {
    recipients: CampaignRecipients
    mailings: Pick<MailingService, 'status'>
    previews: CampaignPreview
    renderBlocks: RenderBlocks
  },
) {
  const subject = AUDIT_SUBJECTS[recipients]

  /** @param used ids that blocks already refer to */
  function listChoices(used: ReadonlySet<string>): CampaignDetail['choices'] {
    const { events, news } = cache.content()
    return {
      events: eventChoices(events.values(), { today: cache.today(), used }),
      news: [...news.values()].map(({ id, title }) => ({ id, title })),
    }
  }

  async function requireCampaign(id: string): Promise<StoredCampaign> {
    const campaign = await findCampaign(db, id)
    if (campaign?.recipients !== recipients) throw new Problem('NOT_FOUND')
    return campaign
  }

  async function read(id: string): Promise<CampaignDetail> {
    const campaign = await requireCampaign(id)
    const [draft, schedule, status, states, results] = await Promise.all([
      findDraft(db, id),
      findSchedule(db, id),
      mailings.status(id),
      listMailingStates(db),
      listMailingResults(db, [id]),
    ])
    return {
      ...toEntry(campaign, schedule, states.get(id)),
      results: results.get(id) ?? null,
      snippet: campaign.snippet,
      blocks: draft?.blocks ?? null,
      version: draft?.version ?? 0,
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

  async function requireEditable(id: string, version: number): Promise<StoredCampaign> {
    const [campaign, draft, schedule, status] = await Promise.all([
      requireCampaign(id),
      findDraft(db, id),
      findSchedule(db, id),
      mailings.status(id),
    ])
    if (campaign.sentAt !== null || status !== null || isSchedulePending(schedule))
      throw new Problem('NEWSLETTER_FIXED')
    if ((draft?.version ?? 0) !== version) throw new Problem('CHANGED_MEANWHILE')
    return campaign
  }

  return {
    requireCampaign,
    read,
    /** @throws Problem NEWSLETTER_FIXED when it was sent or is scheduled */
    requireEditable,

    async list({
      tab,
      q = '',
      page,
      size,
    }: QueryOf<typeof listNewsletters>): Promise<Omit<ReplyOf<typeof listNewsletters>, 'subscribers'>> {
      const [campaigns, schedules, states] = await Promise.all([
        listAllCampaigns(db, recipients),
        listSchedules(db),
        listMailingStates(db),
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
      }
    },

    /**
     * Returns its id.
     * @param store stores what belongs to it, in the same transaction
     */
    async create(by: Officer, name: string, store?: (tx: Db, id: string) => Promise<void>): Promise<string> {
      const now = clock.now()
      const id = newId(now)
      const blocks: NewsletterBlock[] = [{ kind: 'text', markdown: 'Dear friends,' }]
      const content = { name, subject: name, snippet: name, ...(await renderBlocks(blocks)) }
      const isPublic = recipients === 'subscribers'
      await db.transaction().execute(async (tx) => {
        const defaults = { picture: null, canEmbed: isPublic, hasView: isPublic, createdAt: now, updatedAt: now }
        await saveCampaign(tx, { id, recipients, ...content, ...defaults, sentAt: null })
        await store?.(tx, id)
        await addDraft(tx, { campaignId: id, blocks, version: 1 }, by.accountId, now)
        const details = { after: { name } }
        await writeAudit(tx, { actor: by.accountId, action: `${subject}.begun`, subjectId: id, details }, now)
      })
      return id
    },

    /**
     * @param store stores what belongs to it, in the same transaction
     * @throws as `requireEditable` does
     */
    async save(
      by: Officer,
      id: string,
      { blocks, version, ...fields }: BodyOf<typeof saveNewsletter>,
      store?: (tx: Db) => Promise<void>,
    ): Promise<void> {
      const before = await requireEditable(id, version)
      requirePhotos(blocks)
      const content = await renderBlocks(blocks)
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        // Also throws if another officer has just sent or scheduled it: both increment the version.
        if (!(await updateDraft(tx, { campaignId: id, blocks, version }, by.accountId, now)))
          throw new Problem('CHANGED_MEANWHILE')
        await saveCampaign(tx, { ...before, ...fields, ...content, updatedAt: now })
        await store?.(tx)
      })
    },

    async preview(id: string): Promise<ReplyOf<typeof previewNewsletter>> {
      await requireCampaign(id)
      const { subject: line, html, text } = await previews.render(id)
      const query = new URLSearchParams({ token: createPreviewToken(secrets, id, clock.now()) })
      return { subject: line, html, text, path: `${PREVIEW_PATH}?${query}` }
    },

    async sendTest(by: Officer, id: string): Promise<string> {
      await requireCampaign(id)
      const now = clock.now()
      const payload = { campaignId: id, email: by.email }
      await addToOutbox(db, { effect: sendTestNewsletter, payload }, now)
      await writeAudit(db, { actor: by.accountId, action: `${subject}.tested`, subjectId: id, details: {} }, now)
      wakeOutbox()
      return by.email
    },
  }
}

export type CampaignEditor = ReturnType<typeof createCampaignEditor>

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
  { id, name, subject, updatedAt, sentAt: archivedAt }: CampaignSummary,
  schedule: Schedule | null,
  mailing: MailingState | undefined,
): NewsletterEntry {
  const sentAt = archivedAt ?? mailing?.startedAt ?? null
  const isScheduled = isSchedulePending(schedule) && sentAt === null
  const unsent = isScheduled ? 'scheduled' : 'draft'
  return {
    id,
    name,
    subject,
    state: mailing?.state ?? (sentAt === null ? unsent : 'archived'),
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
