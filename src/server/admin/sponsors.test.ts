import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig, type Config } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import {
  markSponsorshipPaid,
  reserveSponsorship,
  updateSponsorshipReturned,
  type NewSponsorship,
  type Sponsorship,
} from '../features/sponsors/sponsorship.repository.ts'
import { runCommand } from './commands.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let config: Config

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'association-sponsors-'))
  // Nobody listens there: the samples do without subscriptions.
  config = readConfig({ DATA_DIR: folder, STANDINS_URL: 'http://127.0.0.1:9' })
  await runCommand(['seed', '--samples'], config, () => {})
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = []
  const code = await runCommand(['sponsors', ...words], config, (line) => void lines.push(line))
  return { code, said: lines.join('\n') }
}

test('a fresh site has sample sponsorships with promises open and kept', async () => {
  const { said: paid } = await run('list')
  expect(paid).toMatch(/\n5 paid\.$/)
  expect(paid).toContain('Custom Amount - $251.50  $251.50  Family of Dr. Kulkarni')
  const { said: open } = await run('promises')
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

async function giveBack(returns: Record<string, Pick<Sponsorship, 'amountRefunded' | 'dispute'>>): Promise<void> {
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  for (const [id, what] of Object.entries(returns))
    await updateSponsorshipReturned(db, id, { ...what, refundedAt: what.amountRefunded > 0 ? 1 : null })
  await close()
}

test('sponsors are listed with what was promised, until each promise is kept', async () => {
  const { db, close } = openDatabase(config.databaseUrl, quiet)
  await db.deleteFrom('sponsorship').execute()
  expect((await run()).said).toBe('Nobody has paid yet.')
  expect((await run('promises')).said).toBe('Every promise is kept.')
  const order: NewSponsorship = {
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
    await reserveSponsorship(db, one, { openKey: one.id, leasedUntil: 0 })
    if (one.id === 'unpaid') continue
    await markSponsorshipPaid(db, one.id, {
      stripeSessionId: `cs_${one.id}`,
      paymentReference: null,
      paidAt: one.id === 'gold' ? paidAt + 1 : paidAt,
      receiptNumber: `R-2026-${one.id}`,
      logoUntil: one.logoMonths === null ? null : '2027-11-21',
      now: paidAt,
    })
  }
  await close()
  expect((await run('list')).said.split('\n')).toEqual([
    'gold  November 21, 2026  R-2026-gold  Gold  $2,000  Kaveri Labs, Leela <leela@example.com> 404 555 0100',
    'small  November 21, 2026  R-2026-small  Gold  $2,000  Kaveri Labs, Leela <leela@example.com> 404 555 0100',
    '2 paid.',
  ])
  expect((await run('promises')).said.split('\n')).toEqual([
    'gold  remarks  3 minutes of remarks  Kaveri Labs <leela@example.com>',
    'gold  table  Reserved table  Kaveri Labs <leela@example.com>',
    'gold  logo  Logo on the website until November 21, 2027  Kaveri Labs <leela@example.com>',
    '3 to keep.',
  ])
  expect(await run('done', 'gold', 'table')).toEqual({ code: 0, said: 'Kept.' })
  expect((await run('done', 'gold', 'table')).said).toBe('It was kept before.')
  expect((await run('promises')).said).toContain('2 to keep.')
  expect(await run('done', 'small', 'table')).toEqual({
    code: 1,
    said: 'Kaveri Labs was not promised that.',
  })
  expect((await run('done', 'unpaid', 'table')).code).toBe(1)
  await giveBack({ gold: { amountRefunded: 200_000, dispute: null }, small: { amountRefunded: 0, dispute: 'open' } })
  const told = (await run('list')).said
  expect(told).toContain('$2,000 (refunded)  Kaveri Labs')
  expect(told).toContain('$2,000 (disputed)  Kaveri Labs')
  expect((await run('promises')).said).toBe('Every promise is kept.')
  expect((await run('done', 'gold', 'logo')).said).toBe('Kaveri Labs has the money back: nothing is to be kept.')
  expect((await run('done', 'gold', 'dinner')).code).toBe(2)
  expect((await run('sell')).code).toBe(2)
})
