import type { BenefitKind } from '#contract/console/sponsors.ts'
import type { OrderColumns, OrderPaymentColumns, PaidOrderState } from './order-schema.ts'

/** A sponsor's order, its payment, and its benefits; each benefit is open until its `…_done_at` is set. */
export interface SponsorshipTable extends OrderColumns<PaidOrderState>, OrderPaymentColumns {
  name: string
  email: string
  company: string
  phone: string | null
  message: string | null
  tierName: string
  /** null: not included. */
  remarksMinutes: number | null
  remarksDoneAt: number | null
  reservedTable: number
  reservedTableDoneAt: number | null
  /** How many months the logo is shown, as ordered; null: not included. `logo_until` is derived once it is paid. */
  logoMonths: number | null
  logoUntil: string | null
  /** When the logo was added to the site. */
  logoDoneAt: number | null
}

/** The day by which a benefit is to be delivered, if officers set one. */
export interface BenefitDeadlineTable {
  sponsorshipId: string
  kind: BenefitKind
  /** `YYYY-MM-DD`. */
  dueOn: string
}
