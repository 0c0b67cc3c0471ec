import { listLevelChanges, type LevelChange } from '#contract/public/billing.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { formatMoney, pricePeriod } from '#contract/money.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

/** What changing to each level costs today and later, by level key. @throws {CallFailure} */
export async function getLevelChanges(levels: readonly MembershipLevel[]): Promise<ReadonlyMap<string, string>> {
  const { changes } = await callAsMember(listLevelChanges)
  return new Map(
    changes.flatMap((change): [string, string][] => {
      const level = levels.find(({ key }) => key === change.levelKey)
      return level ? [[level.key, describeLevelChange(change, level)]] : []
    }),
  )
}

/** 'Today: $945.21 (after a $54.79 credit for the rest of your current membership). Nothing after that.' */
export function describeLevelChange({ currency, credit, dueToday, next }: LevelChange, level: MembershipLevel): string {
  const money = (minorUnits: number) => formatMoney(minorUnits, currency)
  const today = dueToday === 0 ? 'Today: nothing' : `Today: ${money(dueToday)}`
  const creditNote = credit > 0 ? ` (after a ${money(credit)} credit for the rest of your current membership)` : ''
  return `${today}${creditNote}. ${describeNext(next, level, money)}`
}

function describeNext(
  next: LevelChange['next'],
  level: MembershipLevel,
  money: (minorUnits: number) => string,
): string {
  if (!next)
    return level.isRecurring && level.unitAmount > 0 ? 'Nothing is charged automatically.' : 'Nothing after that.'
  const day = formatLongDate(next.at)
  const price = `${money(level.unitAmount)} ${pricePeriod(level)}`
  return next.amount === level.unitAmount
    ? `Then ${price} from ${day} on.`
    : `Then ${next.amount === 0 ? 'nothing' : money(next.amount)} on ${day}, and ${price} after that.`
}
