import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { BenefitKind } from '#contract/console/sponsors.ts'
import type { Schema, SponsorshipState, SponsorshipTable } from '#server/db/schema/schema.ts'

export interface Sponsorship {
  id: string
  name: string
  email: string
  company: string
  phone: string | null
  message: string | null
  tierName: string
  /** Cents. */
  amount: number
  currency: string
  state: SponsorshipState
  attempt: number
  leasedUntil: number | null
  stripeSessionId: string | null
  url: string | null
  nonceHash: string
  createdAt: number
  expiresAt: number
  checkedAt: number
  paidAt: number | null
  receiptNumber: string | null
  remarksMinutes: number | null
  remarksDoneAt: number | null
  reservedTable: boolean
  reservedTableDoneAt: number | null
  logoMonths: number | null
  /** `YYYY-MM-DD`. */
  logoUntil: string | null
  logoDoneAt: number | null
  amountRefunded: number
  dispute: SponsorshipTable['disputeState']
}

export type NewSponsorship = Pick<
  Sponsorship,
  | 'id'
  | 'name'
  | 'email'
  | 'company'
  | 'phone'
  | 'message'
  | 'tierName'
  | 'amount'
  | 'currency'
  | 'nonceHash'
  | 'createdAt'
  | 'expiresAt'
  | 'remarksMinutes'
  | 'reservedTable'
  | 'logoMonths'
>

/** Excludes fully refunded or charged-back sponsorships. */
export function isNotRefunded(eb: ExpressionBuilder<Schema, 'sponsorship'>): Expression<SqlBool> {
  return eb.and([
    eb('amountRefunded', '<', eb.ref('amount')),
    eb.or([eb('disputeState', 'is', null), eb('disputeState', '!=', 'lost')]),
  ])
}

export const DONE_COLUMNS = {
  remarks: 'remarksDoneAt',
  table: 'reservedTableDoneAt',
  logo: 'logoDoneAt',
} as const satisfies Record<BenefitKind, keyof SponsorshipTable>

export function toSponsorship(row: SponsorshipTable): Sponsorship {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    company: row.company,
    phone: row.phone,
    message: row.message,
    tierName: row.tierName,
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    attempt: row.attempt,
    leasedUntil: row.leasedUntil,
    stripeSessionId: row.stripeSessionId,
    url: row.url,
    nonceHash: row.nonceHash,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    checkedAt: row.checkedAt,
    paidAt: row.paidAt,
    receiptNumber: row.receiptNumber,
    remarksMinutes: row.remarksMinutes,
    remarksDoneAt: row.remarksDoneAt,
    reservedTable: row.reservedTable === 1,
    reservedTableDoneAt: row.reservedTableDoneAt,
    logoMonths: row.logoMonths,
    logoUntil: row.logoUntil,
    logoDoneAt: row.logoDoneAt,
    amountRefunded: row.amountRefunded,
    dispute: row.disputeState,
  }
}
