import { checkCards } from '#tests/trust/instances/cards.ts'
import { checkDeath, reportDeath } from '#tests/trust/instances/deaths.ts'
import { checkDirectory } from '#tests/trust/instances/directory.ts'
import { checkAgain, checkKill } from '#tests/trust/instances/killed-notice.ts'
import { checkFields } from '#tests/trust/instances/member-fields.ts'
import { checkNotices, checkPostPile } from '#tests/trust/instances/notices.ts'
import type { Officers } from '#tests/trust/instances/officer-actions.ts'
import { checkRollCall } from '#tests/trust/instances/roll-calls.ts'
import { checkFreeze, checkSeal, readRecordDay } from '#tests/trust/instances/rolls.ts'
import { TwoInstances } from '#tests/trust/instances/two-instances.ts'
import { createOfficer } from '#tests/trust/officers.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const DAY_MS = 86_400_000
/** As long as a person may object to the report of a death. */
const TIME_TO_OBJECT_MS = 7 * DAY_MS
/** Longer than a roll of the row is open to objections. */
const PAST_OBJECTIONS_MS = 2 * DAY_MS

export const row: TrustRow = {
  id: 'T84',
  promise: 'Members, notices and rolls on two instances',
  gate: true,
  undisturbed: true,
  target:
    'a change at one instance is seen at the other within 1 s: the public directory and its sitemap, audiences of values, fields for a level, approvals, ended memberships, deletions, cards (active, past due, lapsed, disabled; replaced and revoked are as unknown), one-click unsubscribes, complaints, second factors, recorded deaths and their undoing, the figure of the last roll; an entry is byte for byte what its owner sees as a member; 10 of 24 messages at once, 60 unknown cards; the same reach at both, and the sum of its ways; at both at once: one notice sent, one proof, one post pile marked, one roll call, one answer, one report by link, one email about two reports, one recorded death, one roll, one seal; of an instance killed in a notice to hundreds the other sends the rest, no one has two copies, uncertain ones are listed and go again once when two officers ask; an email scheduled at both is sent once; a roll of a day is the list of members of that day, a week later; an editor is refused notices at both and stays logged in',
  async run({ world: start, count }) {
    const world = await start({ instances: 2, pages: true, rateLimits: 'on' })
    const faults = new Faults()
    const two = new TwoInstances(world, faults)
    const officers = {
      president: await createOfficer(world, ['president']),
      secretary: await createOfficer(world, ['secretary'], 1),
      editor: await createOfficer(world, ['editor'], 1),
    }
    const messages = await checkDirectory(two, officers)
    await checkFields(two, officers)
    await checkCards(two, officers)
    const notice = await checkNotices(two, officers)
    const killed = await checkKill(two, officers, count(300, 60))
    await checkPostPile(two, officers, notice)
    await checkAgain(two, officers, killed)
    await checkRollCall(two, officers)
    const roll = await checkDeathsAndRoll(two, officers)
    return {
      passed: faults.count === 0,
      reached: `${two.changes} changes seen at the other instance after at most ${Math.round(two.slowestMs)} ms; ${messages}; ${two.races} actions at both at once: one each; a notice ${killed.result}; the roll of a day is its list of ${roll.people} members after a week, with one digest; faults: ${faults}`,
      notes: 'A failed renewal is a row in the database here, as the provider’s event leaves it',
    }
  },
}

/** A death is reported and a roll of today prepared; a week later both are decided. */
async function checkDeathsAndRoll(two: TwoInstances, officers: Officers): Promise<{ people: number }> {
  const reported = await reportDeath(two, officers)
  const recordDay = await readRecordDay(two, officers)
  await passDays(two, officers, TIME_TO_OBJECT_MS)
  await checkDeath(two, officers, reported)
  const roll = await checkFreeze(two, officers, recordDay)
  await passDays(two, officers, PAST_OBJECTIONS_MS)
  await checkSeal(two, officers, roll)
  return { people: recordDay.ids.length }
}

/** Officers log in again afterward. */
async function passDays(two: TwoInstances, officers: Officers, ms: number): Promise<void> {
  await two.pass(ms)
  for (const officer of Object.values(officers)) await two.logInOfficer(officer)
}
