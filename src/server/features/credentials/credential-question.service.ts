import { eachByItself } from '#server/platform/each-by-itself.ts'
import type { Kysely } from 'kysely'
import { dayOf } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import type { Schema } from '#server/db/schema.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { listTrainingOver, markAsked } from './credential-recheck.repository.ts'
import { mustAskAfterTraining } from './credential-recheck.rules.ts'
import type { Credential } from './credential.repository.ts'

/** A question to a member about credentials, and the letter that asks it. False when they are declined, or replaced by newer ones. */
export async function askMember(
  db: Kysely<Schema>,
  { id, accountId }: Credential,
  { question, actor }: { question: string; actor: string },
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await markAsked(tx, id, question, now))) return false
    const details = { credential: id, question }
    await writeAudit(tx, { actor, action: 'credentials.asked', subjectId: accountId, details }, now)
    await addToOutbox(
      tx,
      { kind: 'letter.credentials_question', payload: { accountId, credentialId: id, askedAt: now } },
      now,
    )
    return true
  })
}

const EVERY_MS = 6 * 3_600_000

/** Whose training is over is asked once what they are now; the desk sees them as well. */
export function trainingEndJob({
  db,
  clock,
  timeZone,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  wakeOutbox(): void
}): Job {
  return {
    name: 'training-ends',
    everyMs: EVERY_MS,
    async run() {
      const now = clock.now()
      const today = dayOf(now, timeZone)
      const over = await listTrainingOver(db, now, today)
      await eachByItself(
        over,
        ({ id }) => `credential ${id}`,
        async (credential) => {
          const { place, endsOn, askedAt } = credential
          const askedOn = askedAt === null ? null : dayOf(askedAt, timeZone)
          if (endsOn === null || !mustAskAfterTraining({ endsOn, askedOn }, today)) return
          const question = `You told us that your time at ${place ?? 'your school'} would end on ${writeDay(endsOn)}. What comes after your training?`
          await askMember(db, credential, { question, actor: 'system' }, now)
        },
      )
      wakeOutbox()
    },
  }
}
