import type { RsvpOrderTable } from '#server/db/schema/events-schema.ts'
import type { OrderLine } from '#server/stripe/payment-gateway.ts'

/** An order of seats, paid on the provider's hosted page. */
export interface RsvpOrder extends Omit<RsvpOrderTable, 'meals' | 'lines' | 'isSeated' | 'disputeState'> {
  meals: string[]
  lines: OrderLine[]
  isSeated: boolean | null
  dispute: RsvpOrderTable['disputeState']
}

export function toOrder({ meals, lines, isSeated, disputeState, ...row }: RsvpOrderTable): RsvpOrder {
  return {
    ...row,
    meals: JSON.parse(meals) as string[],
    lines: JSON.parse(lines) as OrderLine[],
    isSeated: isSeated === null ? null : isSeated === 1,
    dispute: disputeState,
  }
}
