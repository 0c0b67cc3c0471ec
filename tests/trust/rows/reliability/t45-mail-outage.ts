import { setTimeout as sleep } from 'node:timers/promises'
import { requestSubscription } from '#tests/trust/browser/public-forms.ts'
import { countEmails, submitForms, type SubmittedForm } from '#tests/trust/faults/emailed-forms.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const RESPONSE_WITHIN_MS = 500
const HOUR_MS = 3_600_000
const QUIET_WITHIN_MS = 120_000
/** Enough for the worker to run between two clock changes. */
const TURN_MS = 1_500
const REFUSED_FOR_GOOD = 10

/** Faults of a mail server for two hours; the last one loses one response in a thousand after accepting the email. */
const TROUBLES: { mail: string; slowMs?: number; times?: number }[] = [
  { mail: 'refuse' },
  { mail: 'blackhole' },
  { mail: 'slow', slowMs: 1_000 },
  { mail: 'temporary' },
  { mail: 'limited' },
  { mail: 'error' },
  { mail: 'lostReply', times: 1 },
]

export const row: TrustRow = {
  id: 'T45',
  promise: 'Mail server down, slow, 4xx, 5xx',
  gate: true,
  target:
    'contact, sponsors, register, subscribe during 2 h of refused, hanging, slow, 4xx, 421, 5xx and lost responses after DATA: 0 emails lost, <= 1 duplicate per 1,000, with the same Message-ID; responses < 500 ms',
  async run({ world: start, count }) {
    const each = count(24, 2)
    const faults = new Faults()
    const world = await start()
    await world.control({ webhooks: 'drop' })
    const sent: SubmittedForm[] = []
    const slowest: number[] = []

    for (const trouble of TROUBLES) {
      await world.control(trouble)
      // Half of them at the beginning, half in the middle of the two hours.
      for (let hour = 0; hour < 2; hour++) {
        slowest.push(
          await submitForms(world, {
            people: each / 2,
            trouble: trouble.mail,
            withinMs: RESPONSE_WITHIN_MS,
            sent,
            faults,
          }),
        )
        for (let quarter = 0; quarter < 4; quarter++) {
          await world.control({ advanceMs: HOUR_MS / 4 })
          await sleep(TURN_MS)
        }
      }
      await world.control({ mail: 'ok' })
      await drain(world, faults)
    }
    const { emails, duplicates } = countEmails(await world.mailbox.all(), sent, faults)
    const allowed = Math.ceil(emails / 1_000)
    faults.expect(duplicates <= allowed, 'too many duplicates', `${duplicates} of ${emails}`)
    const kept = await refuseForGood(world, faults)
    return {
      passed: faults.count === 0,
      reached:
        `${emails} emails after ${TROUBLES.length} outages of 2 h, ${faults.countOf('lost')} lost, ${duplicates} twice; ` +
        `${sent.length} forms, slowest answer ${Math.round(Math.max(...slowest))} ms; ${kept} refused for good and kept for the webmaster; faults: ${faults}`,
    }
  },
}

/** Past the longest retry delay, until nothing is queued. */
async function drain(world: World, faults: Faults): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await world.control({ advanceMs: HOUR_MS })
    faults.expect(await world.isQuiet(QUIET_WITHIN_MS), 'emails still wait')
  }
}

/** An address that does not exist is not retried for days: the email becomes a dead letter that the webmaster can see. */
async function refuseForGood(world: World, faults: Faults): Promise<number> {
  await world.control({ mail: 'permanent', times: REFUSED_FOR_GOOD })
  for (let turn = 0; turn < REFUSED_FOR_GOOD; turn++) await requestSubscription(new Visitor(world), newPerson().email)
  await drain(world, faults)
  const { db } = world.database
  const dead = await db.selectFrom('outbox').select('lastError').where('deadAt', 'is not', null).execute()
  const isKept = dead.length === REFUSED_FOR_GOOD && dead.every(({ lastError: why }) => why === 'mail refused 550')
  faults.expect(isKept, 'given up', `${dead.length}: ${dead[0]?.lastError}`)
  return dead.length
}
