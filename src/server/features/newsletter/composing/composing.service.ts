import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type {
  NewsletterBlock,
  NewsletterDetail,
  NewsletterEntry,
  previewNewsletter,
  saveNewsletter,
} from '#contract/console-newsletter.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { campaignLetter, LEAVE_LINK } from './campaign.emails.ts'
import { findCampaign, listAllCampaigns, saveCampaign, type CampaignEntry } from './campaign.repository.ts'
import type { CampaignWords } from './campaign-words.ts'
import {
  addDraft,
  changeDraft,
  findDraft,
  findSchedule,
  isAhead,
  listSchedules,
  mailingStates,
  type Schedule,
} from './draft.repository.ts'
import type { MailingService } from './mailing.service.ts'
import { writePreviewToken } from './preview-link.ts'
import { countSubscribers } from './subscriber.repository.ts'

/** Addresses of letters that were not sent yet. */
export const PREVIEW_PATH = '/newsletter/preview'

/** Newsletters as they are written. What calls on one throw: Problem NOT_FOUND, and CHANGED_MEANWHILE when the officer saw an older one. */
export interface ComposingService {
  list(): Promise<NewsletterEntry[]>
  begin(by: Officer, name: string): Promise<NewsletterDetail>
  read(id: string): Promise<NewsletterDetail>
  /** @throws Problem NEWSLETTER_FIXED when it was sent or is scheduled */
  requireOpen(id: string, version: number): Promise<void>
  /** @throws as `requireOpen` does */
  save(by: Officer, id: string, words: BodyOf<typeof saveNewsletter>): Promise<NewsletterDetail>
  preview(id: string): Promise<ReplyOf<typeof previewNewsletter>>
  /** The letter of a preview's address; null when there is none. */
  letterOf(id: string): Promise<string | null>
  test(by: Officer, id: string): Promise<string>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
}

export function createComposingService({
  db,
  clock,
  secrets,
  siteUrl,
  association,
  mailings,
  print,
  choices,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  siteUrl: string
  association(): Promise<Association>
  mailings: Pick<MailingService, 'status'>
  /** Blocks as letters show them. */
  print(blocks: readonly NewsletterBlock[]): Promise<CampaignWords>
  /** @param used ids of what blocks show already */
  choices(used: ReadonlySet<string>): NewsletterDetail['choices']
  wakeOutbox(): void
}): ComposingService {
  async function requireCampaign(id: string) {
    const campaign = await findCampaign(db, id)
    if (!campaign) throw new Problem('NOT_FOUND')
    return campaign
  }

  async function printed(id: string) {
    const letter = campaignLetter(await requireCampaign(id), siteUrl, await association())
    // Nobody's own link: a test must take nobody off the list.
    const page = `${siteUrl}/newsletter/unsubscribe`
    return {
      subject: letter.subject,
      html: letter.html.replaceAll(LEAVE_LINK, page),
      text: letter.text.replaceAll(LEAVE_LINK, page),
    }
  }

  async function read(id: string): Promise<NewsletterDetail> {
    const campaign = await requireCampaign(id)
    const [draft, schedule, status, states, readers] = await Promise.all([
      findDraft(db, id),
      findSchedule(db, id),
      mailings.status(id),
      mailingStates(db),
      countSubscribers(db),
    ])
    return {
      ...toEntry(campaign, schedule, states.get(id)),
      snippet: campaign.snippet,
      blocks: draft?.blocks ?? null,
      version: draft?.version ?? 0,
      readers: readers.subscribed ?? 0,
      refused: schedule?.refused ?? null,
      mailing: status && {
        ...status.counts,
        waiting: status.counts.waiting + status.counts.sending,
        recipients: status.mailing.recipients,
        lastError: status.mailing.lastError,
      },
      choices: choices(new Set(draft?.blocks.flatMap((block) => ('id' in block ? [block.id] : [])))),
    }
  }

  async function requireOpen(id: string, version: number): Promise<void> {
    const [campaign, draft, schedule] = await Promise.all([
      requireCampaign(id),
      findDraft(db, id),
      findSchedule(db, id),
    ])
    if (campaign.sentAt !== null || isAhead(schedule)) throw new Problem('NEWSLETTER_FIXED')
    if ((draft?.version ?? 0) !== version) throw new Problem('CHANGED_MEANWHILE')
  }

  return {
    read,
    requireOpen,

    async list() {
      const [campaigns, schedules, states] = await Promise.all([
        listAllCampaigns(db),
        listSchedules(db),
        mailingStates(db),
      ])
      const scheduled = new Map(schedules.map((schedule) => [schedule.campaignId, schedule]))
      return campaigns.map((campaign) => toEntry(campaign, scheduled.get(campaign.id) ?? null, states.get(campaign.id)))
    },

    async begin(by, name) {
      const now = clock.now()
      const id = newId(now)
      const blocks: NewsletterBlock[] = [{ kind: 'text', markdown: 'Dear friends,' }]
      const words = { name, subject: name, snippet: name, ...(await print(blocks)) }
      await db.transaction().execute(async (tx) => {
        const facts = { picture: null, canEmbed: true, hasView: true, createdAt: now, updatedAt: now, sentAt: null }
        await saveCampaign(tx, { id, ...words, ...facts })
        await addDraft(tx, { campaignId: id, blocks, version: 1 }, by.accountId, now)
        const details = { after: { name } }
        await writeAudit(tx, { actor: by.accountId, action: 'newsletter.begun', subjectId: id, details }, now)
      })
      return read(id)
    },

    async save(by, id, { blocks, version, ...words }) {
      await requireOpen(id, version)
      requirePhotographs(blocks)
      const before = await requireCampaign(id)
      const printedBlocks = await print(blocks)
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        // Also when somebody else has just sent or scheduled it: both raise the version.
        if (!(await changeDraft(tx, { campaignId: id, blocks, version }, by.accountId, now)))
          throw new Problem('CHANGED_MEANWHILE')
        await saveCampaign(tx, { ...before, ...words, ...printedBlocks, updatedAt: now })
      })
      return read(id)
    },

    async preview(id) {
      const { subject, text } = await printed(id)
      const query = new URLSearchParams({ token: writePreviewToken(secrets, id, clock.now()) })
      return { subject, text, path: `${PREVIEW_PATH}?${query}` }
    },

    letterOf: async (id) => ((await findCampaign(db, id)) ? (await printed(id)).html : null),

    async test(by, id) {
      await requireCampaign(id)
      const now = clock.now()
      const payload = { campaignId: id, email: by.email }
      await addToOutbox(db, { kind: 'letter.newsletter_test', payload }, now)
      await writeAudit(db, { actor: by.accountId, action: 'newsletter.tested', subjectId: id, details: {} }, now)
      wakeOutbox()
      return by.email
    },

    letters: {
      async 'letter.newsletter_test'({ campaignId, email }) {
        if (!(await findCampaign(db, String(campaignId)))) return null
        const letter = await printed(String(campaignId))
        return { ...letter, subject: `[Test] ${letter.subject}`, to: String(email) }
      },
    },
  }
}

/** @throws Problem with a sentence for each block at fault */
function requirePhotographs(blocks: readonly NewsletterBlock[]): void {
  const drawings = blocks.flatMap((block, index) =>
    block.kind === 'picture' && block.src.endsWith('.svg')
      ? [[`blocks.${index}.src`, 'Mail programs do not show drawings. Please choose a photograph.'] as const]
      : [],
  )
  if (drawings.length > 0) throw new Problem('INVALID_INPUT', { fields: Object.fromEntries(drawings) })
}

function toEntry(
  { id, name, subject, updatedAt, sentAt }: CampaignEntry,
  schedule: Schedule | null,
  mailing: 'sending' | 'paused' | 'finished' | undefined,
): NewsletterEntry {
  const waits = isAhead(schedule) && sentAt === null
  const unsent = waits ? 'scheduled' : 'draft'
  return {
    id,
    name,
    subject,
    state: mailing ?? (sentAt === null ? unsent : 'archived'),
    updatedAt: new Date(updatedAt).toISOString(),
    sentAt: sentAt === null ? null : new Date(sentAt).toISOString(),
    scheduledFor: waits ? new Date(schedule.dueAt).toISOString() : null,
  }
}
