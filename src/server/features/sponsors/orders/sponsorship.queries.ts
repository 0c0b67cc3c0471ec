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
  dispute: SponsorshipTable['dispute_state']
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
    eb('amount_refunded', '<', eb.ref('amount')),
    eb.or([eb('dispute_state', 'is', null), eb('dispute_state', '!=', 'lost')]),
  ])
}

export const DONE_COLUMNS = {
  remarks: 'remarks_done_at',
  table: 'reserved_table_done_at',
  logo: 'logo_done_at',
} as const satisfies Record<BenefitKind, keyof SponsorshipTable>

export function toSponsorship(row: SponsorshipTable): Sponsorship {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    company: row.company,
    phone: row.phone,
    message: row.message,
    tierName: row.tier_name,
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    attempt: row.attempt,
    leasedUntil: row.leased_until,
    stripeSessionId: row.stripe_session_id,
    url: row.url,
    nonceHash: row.nonce_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    checkedAt: row.checked_at,
    paidAt: row.paid_at,
    receiptNumber: row.receipt_number,
    remarksMinutes: row.remarks_minutes,
    remarksDoneAt: row.remarks_done_at,
    reservedTable: row.reserved_table === 1,
    reservedTableDoneAt: row.reserved_table_done_at,
    logoMonths: row.logo_months,
    logoUntil: row.logo_until,
    logoDoneAt: row.logo_done_at,
    amountRefunded: row.amount_refunded,
    dispute: row.dispute_state,
  }
}
