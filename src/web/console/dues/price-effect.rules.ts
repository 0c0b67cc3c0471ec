import type { PriceEffect } from '#contract/console-dues.ts'
import { formatLongDate } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'

/** What a new price means, each in a sentence; what concerns nobody is left out. */
export function effectSentences(effect: PriceEffect): string[] {
  const { amountBefore, amountAfter, currency, isToday, startsOn } = effect
  const [before, after] = [formatMoney(amountBefore, currency), formatMoney(amountAfter, currency)]
  const from = isToday ? 'From now on' : `From ${writeDay(startsOn)} on`
  return [
    amountBefore === amountAfter
      ? `Whoever joins pays ${after}, as today.`
      : `${from} whoever joins pays ${after} instead of ${before}.`,
    ...(effect.holders === 0 ? ['Nobody holds this level yet.'] : []),
    ...about(effect.movesAtNext, (who, one) => [
      `${who} ${one ? 'pays' : 'pay'} ${after} from the next renewal on${renewals(effect)}.`,
      'Nothing is charged now; the letters before each renewal say the new amount.',
    ]),
    ...about(effect.paysOnceMore, (who, one) => [
      `${who} ${one ? 'pays' : 'pay'} the old price once more: the next renewal comes before the new price begins, or its amount was already announced by letter.`,
    ]),
    ...about(effect.keepPrice, (who, one) => [
      `${who} ${one ? 'goes' : 'go'} on paying what ${one ? 'they pay' : 'each pays'} today, at every renewal.`,
    ]),
    ...about(effect.byHand, (who, one) => [
      `${who} ${one ? 'renews' : 'renew'} by hand, with a check or anew by card: for what the level costs on that day.`,
    ]),
    ...about(effect.ending, (who, one) => [
      `${who} stopped the renewal and ${one ? 'is' : 'are'} charged nothing more.`,
    ]),
    ...about(effect.forLife, (who, one) => [
      `${who} ${one ? 'holds' : 'hold'} it for life and never ${one ? 'pays' : 'pay'} again.`,
    ]),
    ...(effect.openCheckouts === 0
      ? []
      : [
          effect.openCheckouts === 1
            ? 'One checkout is open right now: it may still be paid at the price it shows.'
            : `${effect.openCheckouts} checkouts are open right now: they may still be paid at the price they show.`,
        ]),
  ]
}

function about(count: number, words: (who: string, isOne: boolean) => string[]): string[] {
  if (count === 0) return []
  return words(count === 1 ? 'One member' : `${count.toLocaleString('en-US')} members`, count === 1)
}

function renewals({ firstAt, lastAt }: PriceEffect): string {
  if (!firstAt || !lastAt) return ''
  const [first, last] = [formatLongDate(firstAt), formatLongDate(lastAt)]
  return first === last ? `, on ${first}` : `, the first on ${first}, the last on ${last}`
}

/** 'by $1,200 more' of a year's dues; null for a level that is paid once. */
export function differenceWords({ yearBefore, yearAfter, currency }: PriceEffect): string | null {
  if (yearBefore === null || yearAfter === null) return null
  const difference = yearAfter - yearBefore
  if (difference === 0) return 'as much as today'
  return `${formatMoney(Math.abs(difference), currency)} ${difference > 0 ? 'more' : 'less'} than today`
}
