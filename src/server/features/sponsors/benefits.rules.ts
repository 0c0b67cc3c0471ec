import type { PromiseKind } from '#contract/console-sponsors.ts'
import { writeDay } from '#contract/days.ts'
import { isWhollyReturned } from '../membership/payment-return.rules.ts'
import type { Sponsorship } from './sponsorship.repository.ts'

export interface SponsorPromise {
  kind: PromiseKind
  /** '3 minutes of remarks', 'Reserved table', 'Logo on the website until June 1, 2027'. */
  words: string
  /** Epoch milliseconds; null: to be kept yet. */
  keptAt: number | null
}

/** What a sponsor was promised; of an order that was given back whole, only what was kept. */
export function promisesOf(sponsorship: Sponsorship): SponsorPromise[] {
  const { remarksMinutes, remarksDoneAt, reservedTable, reservedTableDoneAt, logoUntil, logoDoneAt } = sponsorship
  const promises: (SponsorPromise | null)[] = [
    remarksMinutes === null
      ? null
      : {
          kind: 'remarks',
          words: `${remarksMinutes} ${remarksMinutes === 1 ? 'minute' : 'minutes'} of remarks`,
          keptAt: remarksDoneAt,
        },
    reservedTable ? { kind: 'table', words: 'Reserved table', keptAt: reservedTableDoneAt } : null,
    logoUntil === null
      ? null
      : { kind: 'logo', words: `Logo on the website until ${writeDay(logoUntil)}`, keptAt: logoDoneAt },
  ]
  const isReturned = isWhollyReturned(sponsorship)
  return promises.filter((promise) => promise !== null).filter(({ keptAt }) => !isReturned || keptAt !== null)
}
