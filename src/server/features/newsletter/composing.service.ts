import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type {
  NewsletterBlock,
  NewsletterDetail,
  NewsletterEntry,
  previewNewsletter,
  saveNewsletter,
  steerNewsletter,
} from '#contract/console-newsletter.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Job } from '#server/platform/job-runner.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { instantOf } from '#server/platform/local-time.rules.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { campaignLetter, LEAVE_LINK } from './campaign.emails.ts'
import { findCampaign, listAllCampaigns, saveCampaign, type CampaignEntry } from './campaign.repository.ts'
import type { CampaignWords } from './campaign-words.ts'
import {
  addDraft,
  addSchedule,
  changeDraft,
  findDraft,
  isAhead,
  listSchedules,
  mailingStates,
  refuseSchedule,
  removeSchedule,
  type Schedule,
} from './draft.repository.ts'
import type { MailingService } from './mailing.service.ts'
import { writePreviewToken } from './preview-link.ts'
import { countSubscribers } from './subscriber.repository.ts'

/** Addresses of letters that were not sent yet. */
export const PREVIEW_PATH = '/newsletter/preview/'
const SCHEDULE_EVERY_MS = 15_000

/** What calls on one newsletter throw: Problem NOT_FOUND, and CHANGED_MEANWHILE when the officer saw an older one. */
export interface ComposingService {
  list(): Promise<NewsletterEntry[]>
  begin(by: Officer, name: string): Promise<NewsletterDetail>
  read(id: string): Promise<NewsletterDetail>
  /** @throws Problem NEWSLETTER_FIXED when it was sent or is scheduled */
  save(by: Officer, id: string, words: BodyOf<typeof saveNewsletter>): Promise<NewsletterDetail>
  preview(id: string): Promise<ReplyOf<typeof previewNewsletter>>
  /** The letter of a preview's address; null when there is none. */
  letterOf(id: string): Promise<string | null>
  test(by: Officer, id: string): Promise<string>
  /** @param at an hour of the association's clock, null: now. @throws Problem NEWSLETTER_FIXED, NOBODY_SUBSCRIBED */
  send(by: Officer, id: string, wish: { version: number; at: string | null }): Promise<NewsletterDetail>
  steer(by: Officer, id: string, wish: BodyOf<typeof steerNewsletter>['wish']): Promise<NewsletterDetail>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
  /** Begins what is due. A restart changes nothing: the schedule is a row. */
  job: Job
}

export function createComposingService({
  db,
  clock,
  secrets,
  siteUrl,
  timeZone,
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
  timeZone: string
  association(): Promise<Association>
  mailings: MailingService
  /** Blocks as letters show them. */
  print(blocks: readonly NewsletterBlock[]): Promise<CampaignWords>
  choices(): NewsletterDetail['choices']
  wakeOutbox(): void
}): ComposingService {
  const findSchedule = async (id: string, tx = db) =>
    (await listSchedules(tx)).find(({ campaignId }) => campaignId === id) ?? null

  async function requireCampaign(id: string) {
    const campaign = await findCampaign(db, id)
    if (!campaign) throw new Problem('NOT_FOUND')
    return campaign
  }

  async function audit(by: string, action: string, id: string, details: Record<string, unknown> = {}, tx = db) {
    await writeAudit(tx, { actor: by, action: `newsletter.${action}`, subjectId: id, details }, clock.now())
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
      findSchedule(id),
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
      choices: choices(),
    }
  }

  /** @throws Problem CHANGED_MEANWHILE, NEWSLETTER_FIXED */
  async function requireOpen(id: string, version: number): Promise<void> {
    const [campaign, draft, schedule] = await Promise.all([requireCampaign(id), findDraft(db, id), findSchedule(id)])
    if (campaign.sentAt !== null || isAhead(schedule)) throw new Problem('NEWSLETTER_FIXED')
    if ((draft?.version ?? 0) !== version) throw new Problem('CHANGED_MEANWHILE')
  }

  async function begin(id: string, by: string): Promise<void> {
    const begun = await mailings.start(id)
    if ('recipients' in begun) return audit(by, 'sent', id, { after: { recipients: begun.recipients } })
    if (begun.refused === 'nobody') throw new Problem('NOBODY_SUBSCRIBED')
    throw new Problem(begun.refused === 'unknown' ? 'NOT_FOUND' : 'NEWSLETTER_FIXED')
  }

  async function beginDue({ campaignId, askedBy }: Schedule): Promise<void> {
    try {
      await begin(campaignId, askedBy)
      await removeSchedule(db, campaignId)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // Begun by a process that died before it took the row away.
      if (error.code === 'NEWSLETTER_FIXED') await removeSchedule(db, campaignId)
      else await refuseSchedule(db, campaignId, error.message)
    }
  }

  return {
    read,

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
        await audit(by.accountId, 'begun', id, { after: { name } }, tx)
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
        if (!(await changeDraft(tx, { campaignId: id, blocks, version }, by.accountId, now)))
          throw new Problem('CHANGED_MEANWHILE')
        // Scheduled by somebody else just now.
        if (isAhead(await findSchedule(id, tx))) throw new Problem('NEWSLETTER_FIXED')
        await saveCampaign(tx, { ...before, ...words, ...printedBlocks, updatedAt: now })
      })
      return read(id)
    },

    async preview(id) {
      const { subject, text } = await printed(id)
      return { subject, text, path: `${PREVIEW_PATH}${writePreviewToken(secrets, id, clock.now())}` }
    },

    letterOf: async (id) => ((await findCampaign(db, id)) ? (await printed(id)).html : null),

    async test(by, id) {
      await requireCampaign(id)
      const payload = { campaignId: id, email: by.email }
      await addToOutbox(db, { kind: 'letter.newsletter_test', payload }, clock.now())
      await audit(by.accountId, 'tested', id)
      wakeOutbox()
      return by.email
    },

    async send(by, id, { version, at }) {
      await requireOpen(id, version)
      if (at === null) {
        await begin(id, by.accountId)
        await removeSchedule(db, id)
        return read(id)
      }
      const dueAt = instantOf(at, timeZone)
      if (dueAt === null) throw fieldProblem('at', 'Please choose when')
      if (dueAt <= clock.now()) throw fieldProblem('at', 'This hour is over. Please choose a later one.')
      await db.transaction().execute(async (tx) => {
        const draft = await findDraft(tx, id)
        // Raised, so that whoever still writes in it is told.
        if (draft && !(await changeDraft(tx, draft, by.accountId, clock.now()))) throw new Problem('CHANGED_MEANWHILE')
        if (!(await addSchedule(tx, { campaignId: id, dueAt, askedBy: by.accountId }, clock.now())))
          throw new Problem('NEWSLETTER_FIXED')
        await audit(by.accountId, 'scheduled', id, { after: { at } }, tx)
      })
      return read(id)
    },

    async steer(by, id, wish) {
      await requireCampaign(id)
      const isDone = {
        unschedule: () => removeSchedule(db, id),
        pause: () => mailings.pause(id),
        resume: () => mailings.resume(id),
        again: async () => (await mailings.sendUncertainAgain(id)) > 0,
      }[wish]
      if (!(await isDone())) throw new Problem('CHANGED_MEANWHILE')
      await audit(by.accountId, wish === 'again' ? 'sent-again' : `${wish}d`, id)
      return read(id)
    },

    letters: {
      async 'letter.newsletter_test'({ campaignId, email }) {
        if (!(await findCampaign(db, String(campaignId)))) return null
        const letter = await printed(String(campaignId))
        return { ...letter, subject: `[Test] ${letter.subject}`, to: String(email) }
      },
    },

    job: {
      name: 'scheduled-newsletters',
      everyMs: SCHEDULE_EVERY_MS,
      async run() {
        const schedules = await listSchedules(db)
        for (const schedule of schedules)
          if (isAhead(schedule) && schedule.dueAt <= clock.now()) await beginDue(schedule)
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
