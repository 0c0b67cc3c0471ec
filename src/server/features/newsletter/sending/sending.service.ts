import { eachByItself } from '#server/platform/each-by-itself.ts'
import type { Kysely } from 'kysely'
import type { NewsletterDetail, steerNewsletter } from '#contract/console-newsletter.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import { instantOf } from '#server/platform/local-time.rules.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { HeldWork } from '../console/held-work.ts'
import { findCampaign } from './campaign.repository.ts'
import type { ComposingService } from './composing.service.ts'
import {
  addSchedule,
  isAhead,
  listSchedules,
  raiseDraft,
  refuseSchedule,
  removeSchedule,
  type Schedule,
} from './draft.repository.ts'
import type { MailingService } from './mailing.service.ts'

const SCHEDULE_EVERY_MS = 15_000

/** What was written goes out: now, or at an hour an officer chose. What calls throw: Problem NOT_FOUND, and CHANGED_MEANWHILE when the officer saw an older one. */
export interface SendingService {
  /** @param at an hour of the association's clock, null: now. @throws Problem NEWSLETTER_FIXED, NOBODY_SUBSCRIBED */
  send(by: Officer, id: string, wish: { version: number; at: string | null }): Promise<NewsletterDetail>
  steer(by: Officer, id: string, wish: BodyOf<typeof steerNewsletter>['wish']): Promise<NewsletterDetail>
  /** Begins what is due. A restart changes nothing: the schedule is a row. */
  job: Job
}

export function createSendingService({
  db,
  clock,
  timeZone,
  composing,
  mailings,
  heldWork,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  composing: Pick<ComposingService, 'read' | 'requireOpen'>
  mailings: MailingService
  heldWork: HeldWork
}): SendingService {
  async function audit(
    by: string,
    action: 'sent' | 'scheduled' | 'unscheduled' | 'paused' | 'resumed' | 'sent-again' | 'held',
    id: string,
    details: Record<string, unknown> = {},
    tx: Db = db,
  ) {
    await writeAudit(tx, { actor: by, action: `newsletter.${action}`, subjectId: id, details }, clock.now())
  }

  async function begin(id: string, by: string, seen: Parameters<MailingService['start']>[1]): Promise<void> {
    const begun = await mailings.start(id, seen)
    if ('recipients' in begun) return audit(by, 'sent', id, { after: { recipients: begun.recipients } })
    if (begun.refused === 'nobody') throw new Problem('NOBODY_SUBSCRIBED')
    throw new Problem(begun.refused === 'unknown' ? 'NOT_FOUND' : 'NEWSLETTER_FIXED')
  }

  async function beginDue({ campaignId, askedBy, dueAt }: Schedule): Promise<void> {
    if (!(await heldWork.mayStill(db, askedBy, 'newsletter.send'))) {
      await refuseSchedule(db, campaignId, await heldWork.sentence(db, askedBy, dueAt))
      return audit('system', 'held', campaignId, { before: { by: askedBy }, after: null })
    }
    try {
      await begin(campaignId, askedBy, { isScheduled: true })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // Left by a release that took the row away only after it had begun, and died in between.
      if (error.code === 'NEWSLETTER_FIXED') await removeSchedule(db, campaignId)
      // An officer took it back just now.
      else if (error.code !== 'CHANGED_MEANWHILE') await refuseSchedule(db, campaignId, error.message)
    }
  }

  async function schedule(by: Officer, id: string, version: number, at: string): Promise<void> {
    const dueAt = instantOf(at, timeZone)
    if (dueAt === null) throw fieldProblem('at', 'Please choose when')
    if (dueAt <= clock.now()) throw fieldProblem('at', 'This hour is over. Please choose a later one.')
    await db.transaction().execute(async (tx) => {
      if (!(await raiseDraft(tx, id, version))) throw new Problem('CHANGED_MEANWHILE')
      if (!(await addSchedule(tx, { campaignId: id, dueAt, askedBy: by.accountId }, clock.now())))
        throw new Problem('NEWSLETTER_FIXED')
      await audit(by.accountId, 'scheduled', id, { after: { at } }, tx)
    })
  }

  return {
    async send(by, id, { version, at }) {
      await composing.requireOpen(id, version)
      if (at === null) await begin(id, by.accountId, { version })
      else await schedule(by, id, version, at)
      return composing.read(id)
    },

    async steer(by, id, wish) {
      if (!(await findCampaign(db, id))) throw new Problem('NOT_FOUND')
      const isDone = {
        unschedule: () => removeSchedule(db, id),
        pause: () => mailings.pause(id),
        resume: () => mailings.resume(id),
        again: async () => (await mailings.sendUncertainAgain(id)) > 0,
      }[wish]
      if (!(await isDone())) throw new Problem('CHANGED_MEANWHILE')
      await audit(by.accountId, wish === 'again' ? 'sent-again' : `${wish}d`, id)
      return composing.read(id)
    },

    job: {
      name: 'scheduled-newsletters',
      everyMs: SCHEDULE_EVERY_MS,
      async run() {
        const due = (await listSchedules(db)).filter((one) => isAhead(one) && one.dueAt <= clock.now())
        await eachByItself(due, ({ campaignId }) => `campaign ${campaignId}`, beginDue)
      },
    },
  }
}
