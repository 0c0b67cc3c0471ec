import { region } from '#contract/region.ts'
import {
  REPORT_WINDOW,
  type MemberReport,
  type MembersByMonth,
  type MonthOfChange,
  type RenewalsDue,
} from '#contract/console/reports.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { AppContext } from '#server/app-context.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { countCell, writeCsv, type CsvCell } from '#server/lib/csv/csv.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import {
  countByLevel,
  countCurrentByLevel,
  countPaidTerms,
  listEndingBetween,
  listSpansBetween,
} from './member-report.repository.ts'
import {
  arrangeByLevel,
  CONTINUED_WITHIN_MS,
  countChanges,
  monthsUntil,
  type ReportMonth,
} from './member-report.rules.ts'
import { renderReportPdf } from './print-report.service.ts'
import { reportTables } from './report-tables.rules.ts'

const WEEK_DAYS = 7

export function createMemberReportService({ db, clock, timeZone, graceMs, settings }: AppContext) {
  const startOf = (day: string) => startOfDay(day, timeZone)
  const months = (today: string) => monthsUntil(today, REPORT_WINDOW.months + 1, startOf)
  /** Past months are counted once a day: they hardly change, and there are many. */
  const countPast = oncePerDay((today) =>
    countByLevel(
      db,
      endsOfMonths(today).map(({ at }) => at),
    ),
  )
  const countFinal = oncePerDay((today) => changesIn(finalMonths(today)))

  /** The last moments of the months before this one. */
  function endsOfMonths(today: string): { month: string; at: number }[] {
    return months(today)
      .slice(0, -1)
      .map(({ month, until }) => ({ month, at: until - 1 }))
  }

  /** The months of which nothing changes any more: no membership can continue one that ended in them. */
  function finalMonths(today: string): ReportMonth[] {
    return months(today).filter(({ until }) => until <= startOf(today) - CONTINUED_WITHIN_MS)
  }

  async function changesIn(shown: readonly ReportMonth[]): Promise<MonthOfChange[]> {
    const [first, last, now] = [shown[0], shown.at(-1), clock.now()]
    if (!first || !last) return []
    const period = { from: first.from, until: Math.min(last.until, now) }
    const [spans, terms] = await Promise.all([
      listSpansBetween(db, period),
      countPaidTerms(db, shown, { now, withinMs: CONTINUED_WITHIN_MS }),
    ])
    const termsOf = new Map(terms.map(({ month, ...counts }) => [month, counts]))
    return countChanges(shown, spans, now).map((change) => ({
      ...change,
      ...(termsOf.get(change.month) ?? { due: 0, renewed: 0 }),
    }))
  }

  async function changesByMonth(today: string): Promise<MonthOfChange[]> {
    const recent = months(today).slice(finalMonths(today).length)
    return (await Promise.all([countFinal(today), changesIn(recent)])).flat()
  }

  async function membersByMonth(): Promise<MembersByMonth> {
    const now = clock.now()
    const today = dayOf(now, timeZone)
    const ends = endsOfMonths(today)
    const [before, current, levels] = await Promise.all([
      countPast(today),
      countCurrentByLevel(db, { now, graceMs: graceMs() }),
      listLevels(db),
    ])
    const names = new Map(levels.map(({ key, name }) => [key, name]))
    return arrangeByLevel([...ends, { month: today.slice(0, 7), at: now }], [...before, ...current], names)
  }

  async function renewalsDue(): Promise<RenewalsDue> {
    const now = clock.now()
    const today = dayOf(now, timeZone)
    const until = startOf(addDays(today, REPORT_WINDOW.renewalDays))
    const ending = await listEndingBetween(db, { from: now, until }, { now, graceMs: graceMs() })
    const weeks = Array.from({ length: Math.ceil(REPORT_WINDOW.renewalDays / WEEK_DAYS) }, (_, week) => {
      const from = addDays(today, week * WEEK_DAYS)
      const [begin, end] = [startOf(from), startOf(addDays(from, WEEK_DAYS))]
      return { from, count: ending.filter(({ endsAt }) => endsAt >= begin && endsAt < end).length }
    })
    return {
      count: ending.length,
      amount: ending.reduce((sum, { amount }) => sum + amount, 0),
      currency: ending[0]?.currency ?? region().currency,
      automatic: ending.filter(({ isAutomatic }) => isAutomatic).length,
      weeks,
    }
  }

  async function report(): Promise<MemberReport> {
    const now = clock.now()
    const today = dayOf(now, timeZone)
    const nextMonth = addDays(`${today.slice(0, 7)}-28`, 4).slice(0, 7)
    const [members, changes, ending, levels] = await Promise.all([
      membersByMonth(),
      changesByMonth(today),
      listEndingBetween(
        db,
        { from: startOf(`${nextMonth}-01`), until: startOf(`${addDays(`${nextMonth}-28`, 4).slice(0, 7)}-01`) },
        { now, graceMs: graceMs() },
      ),
      listLevels(db),
    ])
    const names = new Map(levels.map(({ key, name }) => [key, name]))
    const lapsing = ending
      .filter(({ isAutomatic }) => !isAutomatic)
      .map(({ id, firstName, lastName, email, levelKey, endsAt }) => ({
        id,
        firstName,
        lastName,
        email,
        level: names.get(levelKey) ?? levelKey,
        endsAt: new Date(endsAt).toISOString(),
      }))
      .sort((a, b) => a.lastName.localeCompare(b.lastName) || a.firstName.localeCompare(b.firstName))
    return { members, changes, lapsing: { month: nextMonth, members: lapsing } }
  }

  async function exported(by: Officer, format: 'csv' | 'pdf'): Promise<{ name: string; report: MemberReport }> {
    const made = await report()
    const now = clock.now()
    const details = { format, members: made.lapsing.members.length }
    await writeAudit(db, { actor: by.accountId, action: 'report.exported', subjectId: by.accountId, details }, now)
    return { name: `members-report-${dayOf(now, timeZone)}.${format}`, report: made }
  }

  return {
    membersByMonth,
    renewalsDue,
    report,

    /** Recorded in the audit log, since it names people. */
    async csv(by: Officer): Promise<ServedFile> {
      const { name, report: made } = await exported(by, 'csv')
      const rows = reportTables(made, timeZone).flatMap(({ title, headings, rows: cells }): CsvCell[][] => [
        [title],
        headings,
        ...cells.map((row) => row.map((cell) => (typeof cell === 'number' ? countCell(cell) : cell))),
        [],
      ])
      return { filename: name, content: new TextEncoder().encode(writeCsv(rows)) }
    },

    /** The same on paper. Recorded in the audit log, since it names people. */
    async pdf(by: Officer): Promise<ServedFile> {
      const { name, report: made } = await exported(by, 'pdf')
      const association = settings().association
      const content = await renderReportPdf(
        { title: 'Report of members', madeAt: clock.now(), timeZone, tables: reportTables(made, timeZone) },
        association,
      )
      return { filename: name, content }
    },
  }
}

export type MemberReportService = ReturnType<typeof createMemberReportService>

/** Caches an answer until the day changes; a failure is not cached. */
function oncePerDay<Answer>(find: (day: string) => Promise<Answer>): (day: string) => Promise<Answer> {
  let kept: { day: string; answer: Promise<Answer> } | null = null
  return (day) => {
    if (kept?.day === day) return kept.answer
    const answer = find(day)
    kept = { day, answer }
    answer.catch(() => (kept = null))
    return answer
  }
}
