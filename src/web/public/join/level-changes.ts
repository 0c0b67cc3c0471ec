import { listLevelChanges, type LevelChange } from '#contract/billing.ts'
import { formatLongDate } from '#contract/dates.ts'
import type { MembershipLevel } from '#contract/membership.ts'
import { formatMoney, pricePeriod } from '#contract/money.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'

/** By level key, what changing to it costs today and from then on. @throws {CallFailure} */
export async function getLevelChanges(levels: readonly MembershipLevel[]): Promise<ReadonlyMap<string, string>> {
  const { changes } = await callAsMember(listLevelChanges)
  return new Map(
    changes.flatMap((change): [string, string][] => {
      const level = levels.find(({ key }) => key === change.levelKey)
      return level ? [[level.key, changeWords(change, level)]] : []
    }),
  )
}

/** 'Today: $945.21 ($54.79 for the rest of your present membership is taken off). Nothing after that.' */
export function changeWords({ currency, credit, dueToday, next }: LevelChange, level: MembershipLevel): string {
  const money = (minorUnits: number) => formatMoney(minorUnits, currency)
  const today = dueToday === 0 ? 'Today: nothing' : `Today: ${money(dueToday)}`
  const because = credit > 0 ? ` (${money(credit)} for the rest of your present membership is taken off)` : ''
  return `${today}${because}. ${thenWords(next, level, money)}`
}

function thenWords(next: LevelChange['next'], level: MembershipLevel, money: (minorUnits: number) => string): string {
  if (!next)
    return level.isRecurring && level.unitAmount > 0 ? 'Nothing is charged automatically.' : 'Nothing after that.'
  const day = formatLongDate(next.at)
  const price = `${money(level.unitAmount)} ${pricePeriod(level)}`
  return next.amount === level.unitAmount
    ? `Then ${price} from ${day} on.`
    : `Then ${next.amount === 0 ? 'nothing' : money(next.amount)} on ${day}, and ${price} after that.`
}
