import { expect, test } from 'vitest'
import type { PaymentFile } from '#contract/console/money/payment-imports.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { join } = membershipLife(app)
const treasurer = () => officerWith(app(), ['treasurer'])
const upload = (by: TestBrowser, path: string, text: string) =>
  by.call('POST', path, text, { 'content-type': 'application/octet-stream' })
const check = (by: TestBrowser, text: string, more = '') =>
  upload(by, `/api/console/payment-import-file?filename=old.csv${more}`, text)
const record = (by: TestBrowser, text: string, { digest }: Pick<PaymentFile, 'digest'>) =>
  upload(by, `/api/console/payment-imports?${new URLSearchParams({ filename: 'old.csv', digest })}`, text)

async function rowsOf() {
  const { db } = app().database
  const [payments, entries, outbox, memberships] = await Promise.all([
    db.selectFrom('payment').select(['id', 'accountId', 'amount']).execute(),
    db.selectFrom('ledgerEntry').select(['id', 'amount']).execute(),
    db.selectFrom('outbox').select('id').where('kind', 'like', 'email.%').execute(),
    db.selectFrom('membership').selectAll().orderBy('id').execute(),
  ])
  return { payments: payments.length, entries: entries.length, emails: outbox.length, memberships }
}

test('past payments are judged, recorded once as history without an email, counted in their year, and undone', async () => {
  const { email } = await join()
  const emails = app().standins.mails(email).length
  const text = [
    'Email,Payment date,Amount,Currency,Membership level,Term to,Method,Reference',
    `${email},03/02/2024,$100.00,USD,Annual Member,03/02/2025,Check,1042`,
    `${email},3/2/2025,100,usd,annual_member,2026-03-02,Credit card,ch_1`,
    `${email},3/2/2025,100,usd,annual_member,2026-03-02,Credit card,ch_2`,
    'stranger@example.com,3/2/2025,100,,,,,',
    `${email},3/2/2025,-20,,Annual Member,,,`,
    `${email},3/2/2090,20,,Annual Member,,,`,
    `${email},3/2/2023,20,EUR,Annual Member,,,`,
    `${email},3/2/2023,20,,Gala,,,`,
  ].join('\n')
  const officer = await treasurer()
  const before = await rowsOf()
  const checked = (await check(officer, text)).body as PaymentFile
  expect(checked.counts).toEqual({ new: 2, known: 1, wrong: 5, total: 20_000 })
  expect(checked.skipped.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8, 9])
  expect(await rowsOf()).toEqual(before)

  expect((await record(officer, text, checked)).body).toEqual({ recorded: 2 })
  expect((await record(officer, text, checked)).body).toEqual({ recorded: 0 })
  await app().drain()
  const after = await rowsOf()
  expect(after).toEqual({ ...before, payments: before.payments + 2, entries: before.entries + 2 })
  expect(app().standins.mails(email)).toHaveLength(emails)
  const year = await officer.get('/api/console/payments?from=2024-01-01&to=2024-12-31')
  expect(JSON.stringify(year.body)).toContain(email)
  const tools = { db: app().database.db, now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
  for (const { name, findViolations } of invariants) expect([name, await findViolations(tools)]).toEqual([name, []])

  const [line] = (await officer.get('/api/console/payment-imports/recent')).body.imports
  expect(line).toMatchObject({ filename: 'old.csv', payments: 2, undoneAt: null })
  const undo = () => officer.post(`/api/console/payment-imports/${line.id}/undo`, {})
  expect((await undo()).body).toEqual({ removed: 2, kept: 0 })
  expect((await undo()).body.code).toBe('CHANGED_MEANWHILE')
  expect(await rowsOf()).toEqual(before)
})

test('columns with unknown names are chosen; one twice is refused', async () => {
  const officer = await treasurer()
  const text = 'Contact,Wann,Wieviel\npast@example.com,2022-01-05,50\n'
  expect(((await check(officer, text)).body as PaymentFile).counts).toMatchObject({ new: 0, wrong: 1 })
  expect((await check(officer, text, '&columns=email,email,')).body.errors.columns).toContain('Email')
  const chosen = (await check(officer, text, '&columns=email,paidOn,amount')).body as PaymentFile
  expect(chosen.columns.map(({ column }) => column)).toEqual(['email', 'paidOn', 'amount'])
})

test('only officers who may change money import payments, and none on their own account', async () => {
  const viewer = (await newOfficer(app(), ['viewer'])).browser
  await recordSecondFactor(app(), viewer)
  const text = 'email,date,amount,level\nx@example.com,2022-01-05,50,Annual Member\n'
  expect((await check(viewer, text)).body.code).toBe('NOT_ALLOWED')
  const { browser, email } = await newOfficer(app(), ['treasurer'])
  await recordSecondFactor(app(), browser)
  const own = (await check(browser, text.replace('x@example.com', email))).body as PaymentFile
  expect(own.counts).toMatchObject({ new: 0, wrong: 1 })
})

async function firstUndo(officer: TestBrowser) {
  const [line] = (await officer.get('/api/console/payment-imports/recent')).body.imports
  return (await officer.post(`/api/console/payment-imports/${line.id}/undo`, {})).body
}

async function recordChecked(officer: TestBrowser, text: string) {
  return (await record(officer, text, (await check(officer, text)).body as PaymentFile)).body
}

test('a card payment of an evening is recognized by its day at the association', async () => {
  const officer = await treasurer()
  const { email } = await join()
  const { db } = app().database
  const { amount } = await db.selectFrom('payment').select('amount').executeTakeFirstOrThrow()
  const countsOn = async (day: string) =>
    (
      (await check(officer, `email,date,amount,level\n${email},${day},${amount / 100},Annual Member\n`))
        .body as PaymentFile
    ).counts
  // 8:30 pm of March 2 in New York.
  await db
    .updateTable('payment')
    .set({ paidAt: Date.parse('2025-03-03T01:30:00Z') })
    .execute()
  expect(await countsOn('2025-03-02')).toMatchObject({ new: 0, known: 1 })
  expect(await countsOn('2025-03-03')).toMatchObject({ new: 1, known: 0 })
})

test('the undo keeps payments of a statement that was sent since', async () => {
  const officer = await treasurer()
  const { email } = await join()
  await recordChecked(officer, `email,date,amount,level\n${email},2023-03-02,77,Annual Member\n`)
  expect((await officer.post('/api/console/statements/2023', { members: 1 })).status).toBeLessThan(300)
  await app().drain()
  expect(await firstUndo(officer)).toEqual({ removed: 0, kept: 1 })
  // A payment that was imported after the statement is not on it.
  await app().advance(60_000)
  await recordChecked(officer, `email,date,amount,level\n${email},2023-04-02,78,Annual Member\n`)
  expect(await firstUndo(officer)).toEqual({ removed: 1, kept: 0 })
})

test('the undo keeps payments of the own account; an amount is at most what is recorded by hand', async () => {
  const officer = await treasurer()
  const { browser, email } = await newOfficer(app(), ['treasurer'])
  await recordSecondFactor(app(), browser)
  const payment = (amount: string) => `email,date,amount,level\n${email},2022-03-02,${amount},Annual Member\n`
  const { counts, skipped } = (await check(officer, payment('100000.01'))).body as PaymentFile
  expect([counts.new, skipped[0]?.sentence]).toEqual([0, 'This amount is too large.'])
  expect(await recordChecked(officer, payment('100000'))).toEqual({ recorded: 1 })
  expect(await firstUndo(browser)).toEqual({ removed: 0, kept: 1 })
})

test('a check is recognized by its number without a method, a card payment by its ids at the provider', async () => {
  const officer = await treasurer()
  const { email } = await join()
  const { db } = app().database
  await recordChecked(officer, `email,date,amount,method,check number\n${email},2024-03-02,100,check,1042\n`)
  const card = await db
    .updateTable('payment')
    .set({ paymentIntentId: 'pi_Known' })
    .where('reference', 'not like', 'by-hand:%')
    .where('accountId', 'in', db.selectFrom('account').select('id').where('email', '=', email))
    .returning('reference')
    .executeTakeFirstOrThrow()
  const countsOf = async (method: string, reference: string) =>
    (
      (await check(officer, `email,date,amount,method,reference\n${email},2024-03-05,100,${method},${reference}\n`))
        .body as PaymentFile
    ).counts
  expect(await countsOf('', '1042')).toMatchObject({ new: 0, known: 1 })
  expect(await countsOf('cash', '1042')).toMatchObject({ new: 1, known: 0 })
  expect(await countsOf('card', card.reference)).toMatchObject({ new: 0, known: 1 })
  expect(await countsOf('card', 'pi_Known')).toMatchObject({ new: 0, known: 1 })
  expect(await countsOf('', '1043')).toMatchObject({ new: 1, known: 0 })
})

test('a closed account and a long cell are errors of their rows', async () => {
  const officer = await treasurer()
  const { email } = await join()
  const sentenceOf = async (amount: string) =>
    ((await check(officer, `email,date,amount\n${email},2024-03-05,"${amount}"\n`)).body as PaymentFile).skipped[0]
      ?.sentence
  expect(await sentenceOf(`1${' '.repeat(100_000)}1`)).toBe('Amount has more than 1,000 characters.')
  expect(await sentenceOf('100 USD')).toBeUndefined()
  const { db } = app().database
  await db.updateTable('account').set({ deactivatedBy: 'officer' }).where('email', '=', email).execute()
  expect(await sentenceOf('100')).toBe('This account is disabled. Enable it first.')
})
