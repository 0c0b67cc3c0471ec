import type { AppContext } from '#server/app-context.ts'
import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import type { Permission } from '#contract/access.ts'
import type { controlNewsletter } from '#contract/console/newsletter.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Db } from '#server/db/database.ts'
import type { CampaignRecipients } from '#server/db/schema/newsletter-schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { parseLocalTime } from '#server/lib/local-time.rules.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { AUDIT_SUBJECTS } from '../campaign.rules.ts'
import type { CampaignEditor } from '../composing/campaign-editor.service.ts'
import { addSchedule, incrementDraftVersion, deleteSchedule } from '../composing/draft.repository.ts'
import { isSchedulePending, listSchedulesFor, type Schedule } from '../composing/draft.queries.ts'
import { rejectSchedule } from '../composing/draft.commands.ts'
import type { MailingService } from './mailing.service.ts'

const SCHEDULE_EVERY_MS = 15_000

const JOB_NAMES = { subscribers: 'scheduled-newsletters', members: 'scheduled-member-emails' } as const

/** Sends or schedules newsletters, or emails to members. Methods throw Problem NOT_FOUND, and CHANGED_MEANWHILE on a version conflict. */
export function createSendingService(
  { db, clock, timeZone }: AppContext,
  {
    recipients,
    editor,
    mailings,
    heldWork,
    permissionFor,
  }: {
    recipients: CampaignRecipients
    editor: Pick<CampaignEditor, 'requireCampaign' | 'requireEditable'>
    mailings: MailingService
    heldWork: HeldWork
    /** What the officer who scheduled it must still be allowed when it is due. */
    permissionFor(db: Db, campaignId: string): Promise<Permission>
  },
) {
  async function audit(
    by: string,
    action: 'sent' | 'scheduled' | 'unscheduled' | 'paused' | 'resumed' | 'sent-again' | 'held',
    id: string,
    details: Record<string, unknown> = {},
    tx: Db = db,
  ) {
    const subject = AUDIT_SUBJECTS[recipients]
    await writeAudit(tx, { actor: by, action: `${subject}.${action}`, subjectId: id, details }, clock.now())
  }

  async function start(id: string, by: string, seen: Parameters<MailingService['start']>[1]): Promise<void> {
    const started = await mailings.start(id, seen)
    if ('recipients' in started) return audit(by, 'sent', id, { after: { recipients: started.recipients } })
    if (started.refused === 'no-recipients')
      throw new Problem(recipients === 'subscribers' ? 'NOBODY_SUBSCRIBED' : 'NO_RECIPIENTS')
    throw new Problem(started.refused === 'unknown' ? 'NOT_FOUND' : 'NEWSLETTER_FIXED')
  }

  async function startDue({ campaignId, askedBy, dueAt }: Schedule): Promise<void> {
    if (!(await heldWork.isStillAllowed(db, askedBy, await permissionFor(db, campaignId)))) {
      await rejectSchedule(db, campaignId, await heldWork.reason(db, askedBy, dueAt))
      return audit('system', 'held', campaignId, { before: { by: askedBy }, after: null })
    }
    try {
      await start(campaignId, askedBy, { isScheduled: true })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // Left behind by an earlier release that deleted the row only after starting, and crashed in between.
      if (error.code === 'NEWSLETTER_FIXED') await deleteSchedule(db, campaignId)
      // CHANGED_MEANWHILE: an officer has just unscheduled it.
      else if (error.code !== 'CHANGED_MEANWHILE') await rejectSchedule(db, campaignId, error.message)
    }
  }

  /** When a newsletter for this time would be sent. @throws Problem INVALID_INPUT for a time that is past or unreadable */
  function dueAt(at: string | null): number {
    if (at === null) return clock.now()
    const instant = parseLocalTime(at, timeZone)
    if (instant === null) throw fieldProblem('at', 'Please choose when')
    if (instant <= clock.now()) throw fieldProblem('at', 'This time is in the past. Please choose a later one.')
    return instant
  }

  async function schedule(by: Officer, id: string, version: number, at: string): Promise<void> {
    const due = dueAt(at)
    await db.transaction().execute(async (tx) => {
      if (!(await incrementDraftVersion(tx, id, version))) throw new Problem('CHANGED_MEANWHILE')
      if (!(await addSchedule(tx, { campaignId: id, dueAt: due, askedBy: by.accountId }, clock.now())))
        throw new Problem('NEWSLETTER_FIXED')
      await audit(by.accountId, 'scheduled', id, { after: { at } }, tx)
    })
  }

  return {
    dueAt,

    /** @param at in the association’s time zone; null sends now. @throws Problem NEWSLETTER_FIXED, NOBODY_SUBSCRIBED or NO_RECIPIENTS */
    async send(by: Officer, id: string, { version, at }: { version: number; at: string | null }): Promise<void> {
      await editor.requireEditable(id, version)
      if (at === null) await start(id, by.accountId, { version })
      else await schedule(by, id, version, at)
    },

    async applyAction(by: Officer, id: string, wish: BodyOf<typeof controlNewsletter>['wish']): Promise<void> {
      await editor.requireCampaign(id)
      const isDone = {
        unschedule: () => deleteSchedule(db, id),
        pause: () => mailings.pause(id),
        resume: () => mailings.resume(id),
        again: async () => (await mailings.requeueUncertain(id)) > 0,
      }[wish]
      if (!(await isDone())) throw new Problem('CHANGED_MEANWHILE')
      await audit(by.accountId, wish === 'again' ? 'sent-again' : `${wish}d`, id)
    },

    /** Starts what is due. Schedules are stored, so they survive a restart. */
    job: {
      name: JOB_NAMES[recipients],
      everyMs: SCHEDULE_EVERY_MS,
      async run() {
        const due = (await listSchedulesFor(db, recipients)).filter(
          (one) => isSchedulePending(one) && one.dueAt <= clock.now(),
        )
        await forEachCollectingErrors(due, ({ campaignId }) => `campaign ${campaignId}`, startDue)
      },
    } satisfies Job,
  }
}

export type SendingService = ReturnType<typeof createSendingService>
