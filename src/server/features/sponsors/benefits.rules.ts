import type { BenefitKind } from '#contract/console/sponsors.ts'
import { formatDay } from '#contract/dates/days.ts'
import { isFullyRefunded } from '#server/features/orders/payments/refunded-amount.rules.ts'
import type { Sponsorship } from './orders/sponsorship.queries.ts'

export interface SponsorBenefit {
  kind: BenefitKind
  /** '3 minutes of remarks', 'Reserved table', 'Logo on the website until June 1, 2027'. */
  text: string
  /** Epoch milliseconds; null if not delivered yet. */
  keptAt: number | null
}

/** The benefits of a sponsorship. After a full refund, only those already delivered. */
export function listBenefits(sponsorship: Sponsorship): SponsorBenefit[] {
  const { remarksMinutes, remarksDoneAt, reservedTable, reservedTableDoneAt, logoUntil, logoDoneAt } = sponsorship
  const benefits: (SponsorBenefit | null)[] = [
    remarksMinutes === null
      ? null
      : {
          kind: 'remarks',
          text: `${remarksMinutes} ${remarksMinutes === 1 ? 'minute' : 'minutes'} of remarks`,
          keptAt: remarksDoneAt,
        },
    reservedTable ? { kind: 'table', text: 'Reserved table', keptAt: reservedTableDoneAt } : null,
    logoUntil === null
      ? null
      : { kind: 'logo', text: `Logo on the website until ${formatDay(logoUntil)}`, keptAt: logoDoneAt },
  ]
  const isRefunded = isFullyRefunded(sponsorship)
  return benefits.filter((benefit) => benefit !== null).filter(({ keptAt }) => !isRefunded || keptAt !== null)
}
