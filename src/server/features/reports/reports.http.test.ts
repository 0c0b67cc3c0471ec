import { expect, test } from 'vitest'
import type { MemberReport, MembersByMonth } from '#contract/console/reports.ts'
import { officerWith } from '#tests/support/officers.ts'
import { readPdf } from '#tests/support/files/pdf-text.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { partialContext } from '#tests/support/partial-context.ts'
import { createMemberReportService } from './member-report.service.ts'
import { listSpansBetween } from './member-report.repository.ts'
import { CONTINUED_WITHIN_MS, countChanges, monthsUntil } from './member-report.rules.ts'

const app = useTestApp({ samples: true, environment: { RATE_LIMITS: 'x100' } })
function neverAsked(): never {
  throw new Error('The report on screen needs no settings.')
}

const ZONE = 'America/New_York'
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)

async function report(): Promise<MemberReport> {
  const { status, body } = await (await officerWith(app(), ['president'])).get('/api/console/reports/members')
  expect(status).toBe(200)
  return body
}

test('the last month counts the members whom the list of members calls active or past due', async () => {
  const officer = await officerWith(app(), ['president'])
  const { members } = await report()
  const counted = await Promise.all(
    ['ACTIVE', 'PAST_DUE'].map(
      async (status) => (await officer.get(`/api/console/members?status=${status}`)).body.total,
    ),
  )
  expect(sum(members.months.at(-1)?.counts ?? [])).toBe(Number(counted[0]) + Number(counted[1]))
  expect(members.months).toHaveLength(25)
})

test('each month has the changes that all memberships and payments together tell', async () => {
  const { changes } = await report()
  const { db } = app().database
  const now = Date.now()
  const shown = monthsUntil(dayOf(now, ZONE), changes.length, (day) => startOfDay(day, ZONE))
  const period = { from: shown[0]!.from, until: now }
  const spans = await listSpansBetween(db, period)
  const payments = await db.selectFrom('payment').selectAll().where('voidedAt', 'is', null).execute()
  const ended = payments.flatMap(({ periodEndsAt, ...rest }) =>
    periodEndsAt !== null && rest.amountRefunded < rest.amount ? [{ ...rest, endsAt: Number(periodEndsAt) }] : [],
  )
  const isContinued = ({ id, accountId, endsAt }: (typeof ended)[number]) =>
    payments.some(
      (later) =>
        later.accountId === accountId &&
        later.id !== id &&
        (later.periodEndsAt === null || Number(later.periodEndsAt) > endsAt) &&
        Number(later.paidAt) <= endsAt + CONTINUED_WITHIN_MS,
    )
  const expected = countChanges(shown, spans, now).map((change, at) => {
    const { from, until } = shown[at]!
    const terms = ended.filter(({ endsAt }) => from <= endsAt && endsAt < Math.min(until, now))
    return { ...change, due: terms.length, renewed: terms.filter(isContinued).length }
  })
  expect(changes).toEqual(expected)
  for (const what of ['joined', 'lost', 'due', 'renewed'] as const)
    expect(sum(changes.map((month) => month[what]))).toBeGreaterThan(0)
})

test('who lapses next month has a term that ends then, and no one who renews by card is listed', async () => {
  const { lapsing } = await report()
  for (const { endsAt } of lapsing.members) expect(endsAt.slice(0, 7) >= lapsing.month).toBe(true)
  const automatic = await app()
    .database.db.selectFrom('membership')
    .select('accountId')
    .where('stripeStatus', '=', 'active')
    .where('cancelAtPeriodEnd', '=', 0)
    .execute()
  const ids = new Set(automatic.map(({ accountId }) => accountId))
  expect(lapsing.members.filter(({ id }) => ids.has(id))).toEqual([])
})

test('CSV and PDF hold the report, and the exports are recorded', async () => {
  const officer = await officerWith(app(), ['secretary'])
  const fileOf = async (name: string) => {
    const headers = { authorization: `Bearer ${officer.token}` }
    const response = await fetch(`${app().url}/api/console/reports/${name}`, { headers })
    expect(response.headers.get('content-disposition')).toMatch(/members-report-\d{4}-\d\d-\d\d\./)
    return new Uint8Array(await response.arrayBuffer())
  }
  const csv = new TextDecoder().decode(await fileOf('members.csv'))
  const { lapsing } = await report()
  expect(csv).toContain('Members by level at the end of each month')
  for (const { email } of lapsing.members) expect(csv).toContain(email)
  expect((await readPdf(await fileOf('members.pdf'))).text).toContain('Report of members')
  const entries = await app()
    .database.db.selectFrom('audit')
    .select('details')
    .where('action', '=', 'report.exported')
    .execute()
  expect(entries.map(({ details }) => JSON.parse(details).format)).toEqual(['csv', 'pdf'])
})

test('the home page has only the figures that the role may see', async () => {
  const figuresOf = async (role: 'editor' | 'membership' | 'president') =>
    (await (await officerWith(app(), [role])).get('/api/console/home')).body
  expect(await figuresOf('editor')).toMatchObject({ members: null, renewals: null, income: null })
  const president = await figuresOf('president')
  expect((president.members as MembersByMonth).levels.length).toBeGreaterThan(0)
  expect(president.income).toMatchObject({ currency: 'usd' })
  const { weeks, count } = president.renewals as { weeks: { count: number }[]; count: number }
  expect(sum(weeks.map((week) => week.count))).toBe(count)
})

test('every month is shown all day, also when the clocks were changed since one ended', async () => {
  // Sixty days after the end of September, as hours are counted, are an hour before the end of November 29.
  let now = Date.parse('2027-11-29T22:30:00-05:00')
  const { report: reportAt } = createMemberReportService(
    partialContext({
      db: app().database.db,
      clock: { now: () => now, close() {} },
      timeZone: ZONE,
      graceMs: () => 0,
      settings: neverAsked,
    }),
  )
  const monthsOf = async () => (await reportAt()).changes.map(({ month }) => month)
  const before = await monthsOf()
  expect(before).toHaveLength(25)
  now += 3_600_000
  expect(await monthsOf()).toEqual(before)
})
