import { region } from '#contract/region.ts'
import type { getHomeFigures, MonthIncome } from '#contract/console/reports.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { AppContext } from '#server/app-context.ts'
import type { Officer } from '#server/http/serve.ts'
import { sumLedger } from '#server/features/orders/payments/ledger.queries.ts'
import { nextMonth } from '#server/features/treasury/months.rules.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import type { MemberReportService } from './member-report.service.ts'
import { sumByDay } from './income.rules.ts'

export function createHomeFiguresService(
  { db, clock, timeZone }: AppContext,
  { memberReport }: { memberReport: Pick<MemberReportService, 'membersByMonth' | 'renewalsDue'> },
) {
  const entriesOf = (month: string) => {
    const next = `${nextMonth(month)}-01`
    const starts: number[] = []
    for (let day = `${month}-01`; day < next; day = addDays(day, 1)) starts.push(startOfDay(day, timeZone))
    return sumLedger(db, { starts, to: startOfDay(next, timeZone) })
  }

  async function income(today: string): Promise<MonthIncome> {
    const month = today.slice(0, 7)
    const monthBefore = `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`
    const [now, before] = await Promise.all([entriesOf(month), entriesOf(monthBefore)])
    const dayOfMonth = ({ at }: { at: number }) => Number(dayOf(at, timeZone).slice(8))
    return {
      month,
      currency: now[0]?.currency ?? region().currency,
      days: sumByDay(now, dayOfMonth).slice(0, Number(today.slice(8))),
      yearBefore: sumByDay(before, dayOfMonth),
    }
  }

  return {
    /** Only what the officer may see; the rest is null. */
    async find(by: Officer): Promise<ReplyOf<typeof getHomeFigures>> {
      const today = dayOf(clock.now(), timeZone)
      const { permissions } = by
      const maySeeMembers = permissions.includes('members.look')
      const [members, renewals, money] = await Promise.all([
        maySeeMembers ? memberReport.membersByMonth() : null,
        maySeeMembers ? memberReport.renewalsDue() : null,
        permissions.includes('money.look') ? income(today) : null,
      ])
      return { today, members, renewals, income: money }
    },
  }
}

export type HomeFiguresService = ReturnType<typeof createHomeFiguresService>
