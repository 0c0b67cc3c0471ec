import { createOfficer } from '#tests/trust/officers.ts'
import { expectStatus } from '#tests/trust/people.ts'
import { openCard } from './member-actions.ts'
import { scanCard, type Officers } from './officer-actions.ts'
import type { TwoInstances } from './two-instances.ts'

const DAY_MS = 86_400_000
/** Unknown codes that an officer may scan in an hour. */
const UNKNOWN_ALLOWED = 60

/** A card opened at one instance and scanned at the other. */
export async function checkCards(two: TwoInstances, { president, secretary }: Officers): Promise<void> {
  const member = await two.join({ levelKey: 'annual_member' })
  const opened = await two.atOnce([member.visitor], 8, openCard)
  two.faults.expect(new Set(opened).size === 1, 'first openings at once made several cards')
  const scanAt = (site: typeof two.first, code: string) => scanCard(two.at(site, secretary.visitor), code)
  const [code = ''] = opened
  for (const site of two.world.sites) two.faults.expect((await scanAt(site, code)) === 'active', 'an active card')

  const renewed = expectStatus(await two.at(two.first, member.visitor).post('/api/account/card'), 200, 'new code').body
  await two.soon('a replaced code', async () => (await scanAt(two.second, code)) === null)
  const current = String(renewed.code?.url)
  await setPastDue(two, member.id)
  two.faults.expect((await scanAt(two.second, current)) === 'past_due', 'a card after a failed renewal')

  const path = `/api/console/members/${member.id}`
  const desk = two.at(two.first, president.visitor)
  expectStatus(await desk.post(`${path}/disable`, { reason: 'Asked by phone' }), 200, 'disable')
  await two.soon('a disabled account', async () => (await scanAt(two.second, current)) === 'disabled')
  expectStatus(await desk.post(`${path}/card/revoke`, {}), 200, 'revoke')
  await two.soon('a revoked card', async () => (await scanAt(two.second, current)) === null)
  const bodies = await Promise.all(
    [current, code, `${two.world.siteUrl}/card#${'x'.repeat(43)}`].map(
      async (scanned) =>
        (await two.at(two.second, secretary.visitor).post('/api/console/cards/scan', { code: scanned })).text,
    ),
  )
  two.faults.expect(new Set(bodies).size === 1, 'a revoked code differs from an unknown one', bodies.join(' '))
  await checkGuessing(two)
}

/** As the provider's event after a failed charge leaves it. */
async function setPastDue(two: TwoInstances, accountId: string): Promise<void> {
  // The provider's events about the payment would set it back.
  await two.world.control({ flushWebhooks: true })
  await two.world.quiet()
  await two.world.database.db
    .updateTable('membership')
    .set({ stripeStatus: 'past_due', pastDueSince: two.now() - DAY_MS })
    .where('accountId', '=', accountId)
    .execute()
}

/** Unknown codes of one officer are counted over both instances. */
async function checkGuessing(two: TwoInstances): Promise<void> {
  const { visitor } = await createOfficer(two.world, ['editor'])
  const scan = (turn: number) =>
    two.at(two.world.siteOf(turn), visitor).post('/api/console/cards/scan', { code: `guess-${turn}` })
  for (let turn = 0; turn < UNKNOWN_ALLOWED; turn++) expectStatus(await scan(turn), 200, 'unknown code')
  for (const turn of [UNKNOWN_ALLOWED, UNKNOWN_ALLOWED + 1])
    two.faults.expect((await scan(turn)).status === 429, 'a further guess was looked up')
}
