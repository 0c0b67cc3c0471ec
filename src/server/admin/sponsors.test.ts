import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig, type Config } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { orderPaymentCommands } from '#server/features/orders/order-payment.commands.ts'
import {
  recordSponsorshipPayment,
  reserveSponsorship,
  sponsorships,
} from '#server/features/sponsors/orders/sponsorship.commands.ts'
import { type Sponsorship } from '#server/features/sponsors/orders/sponsorship.queries.ts'
import { runCommand } from './commands.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let config: Config

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'association-sponsors-'))
  // No stand-ins are running: the samples have no subscriptions.
  config = readConfig({ DATA_DIR: folder, STANDINS_URL: 'http://127.0.0.1:9', SAMPLES: 'few' })
  await runCommand(['seed', '--samples'], config, () => {})
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const code = await runCommand(['sponsors', ...args], config, (line) => void lines.push(line))
  return { code, output: lines.join('\n') }
}

test('a fresh site has sample sponsorships with open and delivered benefits', async () => {
  const { output: paid } = await run('list')
  expect(paid).toMatch(/\n5 paid\.$/)
  expect(paid).toContain('Custom Amount - $251.50  $251.50  Family of Dr. Kulkarni')
  const { output: open } = await run('promises')
  expect(
    open.split('\n').map((line) =>
      line
        .split('  ')
        .slice(1, 3)
        .join(' ')
        .replace(/ until .*/, ''),
    ),
  ).toEqual([
    'remarks 3 minutes of remarks',
    'table Reserved table',
    'logo Logo on the website',
    'remarks 5 minutes of remarks',
    'table Reserved table',
    'table Reserved table',
    '',
  ])
  expect(open).not.toContain('Tamarind Table Catering')
})

async function recordRefunds(refunds: Record<string, Pick<Sponsorship, 'amountRefunded' | 'dispute'>>): Promise<void> {
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  for (const [id, what] of Object.entries(refunds)) {
    const {
      amount,
      currency,
      amountRefunded,
      disputeState: dispute,
    } = await db.selectFrom('sponsorship').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const state = { ...what, refundedAt: what.amountRefunded > 0 ? 1 : null }
    const before = { id, amount, currency, amountRefunded, dispute }
    await orderPaymentCommands('sponsorship', 'sponsorship').update(db, before, state, 1)
  }
  await close()
}

test('sponsors are listed with their benefits, until each is delivered', async () => {
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  await db.deleteFrom('sponsorship').execute()
  expect((await run()).output).toBe('No sponsorships have been paid yet.')
  expect((await run('promises')).output).toBe('All benefits are delivered.')
  const order = {
    id: 'gold',
    name: 'Leela',
    email: 'leela@example.com',
    company: 'Kaveri Labs',
    phone: '404 555 0100',
    message: null,
    tierName: 'Gold',
    amount: 200_000,
    currency: 'usd',
    nonceHash: 'x',
    createdAt: Date.UTC(2026, 10, 21, 12),
    expiresAt: Date.UTC(2026, 10, 21, 13),
    remarksMinutes: 3,
    reservedTable: true,
    logoMonths: 12,
  }
  const custom = { ...order, id: 'small', remarksMinutes: null, reservedTable: false, logoMonths: null }
  const paidAt = Date.UTC(2026, 10, 21, 12, 10)
  for (const one of [order, custom, { ...order, id: 'unpaid' }]) {
    await reserveSponsorship(db, { ...one, openKey: one.id, leasedUntil: 0 })
    if (one.id === 'unpaid') continue
    const paid = { stripeSessionId: `cs_${one.id}`, paidAt: one.id === 'gold' ? paidAt + 1 : paidAt, now: paidAt }
    await sponsorships.markPaid(db, one.id, paid)
    await recordSponsorshipPayment(
      db,
      one.id,
      {
        paymentReference: null,
        receiptNumber: `R-2026-${one.id}`,
        logoUntil: one.logoMonths === null ? null : '2027-11-21',
      },
      paidAt,
    )
  }
  await close()
  expect((await run('list')).output.split('\n')).toEqual([
    'gold  November 21, 2026  R-2026-gold  Gold  $2,000  Kaveri Labs, Leela <leela@example.com> 404 555 0100',
    'small  November 21, 2026  R-2026-small  Gold  $2,000  Kaveri Labs, Leela <leela@example.com> 404 555 0100',
    '2 paid.',
  ])
  expect((await run('promises')).output.split('\n')).toEqual([
    'gold  remarks  3 minutes of remarks  Kaveri Labs <leela@example.com>',
    'gold  table  Reserved table  Kaveri Labs <leela@example.com>',
    'gold  logo  Logo on the website until November 21, 2027  Kaveri Labs <leela@example.com>',
    '3 benefits due.',
  ])
  expect(await run('done', 'gold', 'table')).toEqual({ code: 0, output: 'Marked as delivered.' })
  expect((await run('done', 'gold', 'table')).output).toBe('It was already delivered.')
  expect((await run('promises')).output).toContain('2 benefits due.')
  expect(await run('done', 'small', 'table')).toEqual({
    code: 1,
    output: 'Kaveri Labs does not have this benefit.',
  })
  expect((await run('done', 'unpaid', 'table')).code).toBe(1)
  await recordRefunds({
    gold: { amountRefunded: 200_000, dispute: null },
    small: { amountRefunded: 0, dispute: 'open' },
  })
  const listed = (await run('list')).output
  expect(listed).toContain('$2,000 (refunded)  Kaveri Labs')
  expect(listed).toContain('$2,000 (disputed)  Kaveri Labs')
  expect((await run('promises')).output).toBe('All benefits are delivered.')
  expect((await run('done', 'gold', 'logo')).output).toBe('Kaveri Labs was refunded: no benefits are due.')
  expect((await run('done', 'gold', 'dinner')).code).toBe(2)
  expect((await run('sell')).code).toBe(2)
})
