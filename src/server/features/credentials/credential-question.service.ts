import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import type { Kysely } from 'kysely'
import { dayOf } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { AppContext } from '#server/app-context.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { listEndedTraining } from './credential-recheck.repository.ts'
import { saveQuestion } from './credential.commands.ts'
import { shouldAskAfterTraining } from './credential-recheck.rules.ts'
import type { Credential } from './credential.queries.ts'
import { sendCredentialQuestion } from './credential.emails.ts'

/** Stores a question about a member's credentials and queues the email. False when they were declined or replaced by newer ones. */
export async function saveCredentialQuestion(
  db: Kysely<Schema>,
  { id, accountId }: Credential,
  { question, actor }: { question: string; actor: string },
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await saveQuestion(tx, id, question, now))) return false
    const details = { credential: id, question }
    await writeAudit(tx, { actor, action: 'credentials.asked', subjectId: accountId, details }, now)
    await addToOutbox(
      tx,
      { effect: sendCredentialQuestion, payload: { accountId, credentialId: id, askedAt: now } },
      now,
    )
    return true
  })
}

const EVERY_MS = 6 * 3_600_000

/** Asks members whose training has ended, once, about their current status; they also appear on the review list. */
export function trainingEndJob({ db, clock, timeZone, graceMs, wakeOutbox }: AppContext): Job {
  return {
    name: 'training-ends',
    everyMs: EVERY_MS,
    async run() {
      const now = clock.now()
      const today = dayOf(now, timeZone)
      const over = await listEndedTraining(db, { now, graceMs: graceMs(), today })
      await forEachCollectingErrors(
        over,
        ({ id }) => `credential ${id}`,
        async (credential) => {
          const { place, endsOn, askedAt } = credential
          const askedOn = askedAt === null ? null : dayOf(askedAt, timeZone)
          if (endsOn === null || !shouldAskAfterTraining({ endsOn, askedOn }, today)) return
          const question = `You told us that your training at ${place ?? 'your school'} would end on ${formatDay(endsOn)}. What comes after your training?`
          await saveCredentialQuestion(db, credential, { question, actor: 'system' }, now)
        },
      )
      wakeOutbox()
    },
  }
}
