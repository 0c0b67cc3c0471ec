import type { RsvpOrderTable } from '#server/db/schema/events-schema.ts'
import type { PartyTicket } from '#contract/tickets/tickets.ts'
import type { OrderLine } from '#server/stripe/payment-gateway.ts'

/** An order of seats, paid on the provider's hosted page. */
export interface RsvpOrder extends Omit<
  RsvpOrderTable,
  'meals' | 'lines' | 'tickets' | 'baseTickets' | 'isSeated' | 'disputeState'
> {
  meals: string[]
  tickets: PartyTicket[]
  baseTickets: PartyTicket[]
  lines: OrderLine[]
  isSeated: boolean | null
  dispute: RsvpOrderTable['disputeState']
}

export function toOrder({
  meals,
  lines,
  tickets,
  baseTickets,
  isSeated,
  disputeState,
  ...row
}: RsvpOrderTable): RsvpOrder {
  return {
    ...row,
    meals: JSON.parse(meals) as string[],
    lines: JSON.parse(lines) as OrderLine[],
    tickets: JSON.parse(tickets) as PartyTicket[],
    baseTickets: JSON.parse(baseTickets) as PartyTicket[],
    isSeated: isSeated === null ? null : isSeated === 1,
    dispute: disputeState,
  }
}
