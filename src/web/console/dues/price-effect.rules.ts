import type { PriceEffect } from '#contract/console/dues.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { formatMoney } from '#contract/money.ts'

/** The effects of a new price as sentences; leaves out those that affect no one. */
export function effectSentences(effect: PriceEffect): string[] {
  const { amountBefore, amountAfter, currency, isToday, startsOn } = effect
  const [before, after] = [formatMoney(amountBefore, currency), formatMoney(amountAfter, currency)]
  const from = isToday ? 'From now on' : `From ${formatDay(startsOn)}`
  return [
    amountBefore === amountAfter
      ? `New members pay ${after}, as today.`
      : `${from}, new members pay ${after} instead of ${before}.`,
    ...(effect.holders === 0 ? ['This level has no members yet.'] : []),
    ...about(effect.movesAtNext, (who, one) => [
      `${who} ${one ? 'pays' : 'pay'} ${after} from the next renewal${renewals(effect)}.`,
      'Nothing is charged now. The email before each renewal states the new amount.',
    ]),
    ...about(effect.paysOnceMore, (who, one) => [
      `${who} ${one ? 'pays' : 'pay'} the old price once more: the next renewal is before the new price starts, or its amount was already announced by email.`,
    ]),
    ...about(effect.keepPrice, (who, one) => [`${who} ${one ? 'keeps' : 'keep'} the current price at every renewal.`]),
    ...about(effect.byHand, (who, one) => [
      `${who} ${one ? 'renews' : 'renew'} manually, by check or card, at the price on that day.`,
    ]),
    ...about(effect.ending, (who, one) => [`${who} stopped the renewal and ${one ? 'is' : 'are'} not charged again.`]),
    ...about(effect.forLife, (who, one) => [
      `${who} ${one ? 'holds' : 'hold'} it for life and never ${one ? 'pays' : 'pay'} again.`,
    ]),
    ...(effect.openCheckouts === 0
      ? []
      : [
          effect.openCheckouts === 1
            ? 'One checkout is open now and may still be paid at the old price.'
            : `${effect.openCheckouts} checkouts are open now and may still be paid at the old price.`,
        ]),
  ]
}

function about(count: number, sentences: (who: string, isOne: boolean) => string[]): string[] {
  if (count === 0) return []
  return sentences(count === 1 ? 'One member' : `${count.toLocaleString('en-US')} members`, count === 1)
}

function renewals({ firstAt, lastAt }: PriceEffect): string {
  if (!firstAt || !lastAt) return ''
  const [first, last] = [formatLongDate(firstAt), formatLongDate(lastAt)]
  return first === last ? `, on ${first}` : `, the first on ${first}, the last on ${last}`
}

/** For example '$1,200 more than today'; null for a level that is paid once. */
export function differenceText({ yearBefore, yearAfter, currency }: PriceEffect): string | null {
  if (yearBefore === null || yearAfter === null) return null
  const difference = yearAfter - yearBefore
  if (difference === 0) return 'the same as today'
  return `${formatMoney(Math.abs(difference), currency)} ${difference > 0 ? 'more' : 'less'} than today`
}
