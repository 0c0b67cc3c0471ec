import { setTimeout as sleep } from 'node:timers/promises'
import type { MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import { listMany } from '#tests/support/content/many-listed.ts'
import { until } from '#tests/trust/load.ts'
import { expectStatus } from '#tests/trust/people.ts'
import { compose, copiesTo, EMAILS, finished, idsOf, read, send } from './member-emails.ts'
import type { Officers } from './officer-actions.ts'
import type { Member, TwoInstances } from './two-instances.ts'

const MINUTE_MS = 60_000
/** Longer than the lease of a batch, and than a code is fresh. */
const PAST_LEASE_MS = 11 * MINUTE_MS
const SCHEDULED_IN_MS = 3 * MINUTE_MS
/** How long the mail server takes for each email. */
const SLOW_MS = 300
/** More than one instance has in hand. */
const BOTH_SEND = 9
const TIME_ZONE = 'America/New_York'

/** A notice that was interrupted, and how it ended. */
export interface InterruptedNotice {
  notice: MemberEmailDetail
  result: string
}

/** One instance is killed in the middle of a notice: the other sends the rest, and no one has two copies. Also lets a scheduled email become due at both. */
export async function checkKill(two: TwoInstances, officers: Officers, members: number): Promise<InterruptedNotice> {
  const { faults, world } = two
  const person = await two.join()
  await listMany(world.database.db, { like: person.id, count: members, now: two.now() })
  const officer = two.at(two.first, officers.president.visitor)
  const notice = await compose(officer, 'notice', { filter: { level: 'medical_student', status: 'ACTIVE' } })
  faults.expect(notice.reach.email > members, 'the notice reaches too few', String(notice.reach.email))
  await world.control({ mail: 'slow', slowMs: SLOW_MS })
  expectStatus(await send(two.at(two.second, officers.secretary.visitor), notice), 200, 'send')
  const isHalfway = await until(
    async () => {
      const { accepted, sending } = await countCopies(two, notice)
      return accepted > notice.reach.email / 4 && sending >= BOTH_SEND
    },
    { withinMs: 30_000, everyMs: 20 },
  )
  faults.expect(isHalfway !== null, 'the instances did not send together')
  // The mail server has the emails in hand, and accepts them after their sender died.
  await sleep(SLOW_MS / 2)
  await two.second.program.kill()
  const before = await countCopies(two, notice)
  await until(async () => (await countCopies(two, notice)).waiting === 0, { withinMs: 60_000, everyMs: 200 })
  await world.control({ mail: 'ok' })
  await two.second.start()
  const scheduled = await schedule(two, officers, person)
  await two.pass(PAST_LEASE_MS)
  const done = await until(async () => (await read(officer, notice)).state === 'finished', { withinMs: 10_000 })
  faults.expect(done !== null, 'the notice did not finish')
  // Time for what must not be sent.
  await sleep(2_000)

  const { mailing } = await read(two.at(two.second, officers.secretary.visitor), notice)
  const { recipients = 0, accepted = 0, uncertain = 0 } = mailing ?? {}
  faults.expect(recipients === notice.reach.email && accepted + uncertain === recipients, 'copies are missing')
  faults.expect(uncertain > 0, 'nothing was in hand when the instance was killed')
  const twice = await checkCopies(two, notice)
  const copies = await copiesTo(world, person, scheduled)
  faults.expect(copies.length === 1, 'copies of a scheduled email', String(copies.length))
  return {
    notice,
    result: `killed after ${before.accepted} of ${recipients} copies: ${accepted} accepted, ${uncertain} uncertain, ${twice} received twice`,
  }
}

/** Two officers ask at once to send the uncertain copies again: each of them is sent once more. */
export async function checkAgain(
  two: TwoInstances,
  { president, secretary }: Officers,
  { notice }: InterruptedNotice,
): Promise<void> {
  const { mailing } = await read(two.at(two.first, president.visitor), notice)
  const asked = await two.atOnce([president.visitor, secretary.visitor], 4, (session) =>
    session.call('PUT', `${EMAILS}/${notice.id}/mailing`, { wish: 'again' }),
  )
  two.expectOne('sending uncertain copies again', asked, [200, 409])
  const done = await finished(two.at(two.second, secretary.visitor), notice)
  two.faults.expect(done.mailing?.accepted === mailing?.recipients, 'a copy that was sent again was not accepted')
  await checkCopies(two, notice, { repeated: mailing?.uncertain ?? 0 })
}

/** No one has two copies, but as many as were sent again on request; every accepted copy arrived. Returns how many have two. */
async function checkCopies(
  two: TwoInstances,
  { id, subject }: MemberEmailDetail,
  { repeated = 0 }: { repeated?: number } = {},
): Promise<number> {
  const received = new Map<string, number>()
  for (const email of await two.world.mailbox.all()) {
    if (email.subject !== subject) continue
    for (const to of email.to) received.set(to, (received.get(to) ?? 0) + 1)
  }
  const rows = await two.world.database.db
    .selectFrom('delivery')
    .select(['email', 'state'])
    .where('campaignId', '=', id)
    .execute()
  for (const { email, state } of rows)
    two.faults.expect(state !== 'accepted' || received.has(email), 'an accepted copy did not arrive', email)
  const counts = [...received.values()]
  const twice = counts.filter((count) => count === 2).length
  two.faults.expect(twice <= repeated && Math.max(...counts) <= 2, 'two copies of a notice', String(twice))
  return twice
}

/** An email that both instances find due. */
async function schedule(two: TwoInstances, { secretary }: Officers, person: Member): Promise<MemberEmailDetail> {
  const officer = two.at(two.second, secretary.visitor)
  const news = await compose(officer, 'news', idsOf([person]))
  const at = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: TIME_ZONE })
    .format(two.now() + SCHEDULED_IN_MS)
    .replace(' ', 'T')
  expectStatus(await send(officer, news, at), 200, 'schedule')
  return news
}

async function countCopies(two: TwoInstances, { id }: Pick<MemberEmailDetail, 'id'>) {
  const rows = await two.world.database.db
    .selectFrom('delivery')
    .select((eb) => ['state', eb.fn.countAll<string | number>().as('count')])
    .where('campaignId', '=', id)
    .groupBy('state')
    .execute()
  const counts = new Map(rows.map(({ state, count }) => [state as string, Number(count)]))
  const of = (state: string) => counts.get(state) ?? 0
  return { accepted: of('accepted'), sending: of('sending'), waiting: of('waiting') }
}
