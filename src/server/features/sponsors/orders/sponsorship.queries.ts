import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { BenefitKind } from '#contract/console/sponsors.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { SponsorshipTable } from '#server/db/schema/sponsor-schema.ts'

/** A sponsor's order, its payment and its benefits. */
export interface Sponsorship extends Omit<SponsorshipTable, 'reservedTable' | 'disputeState'> {
  reservedTable: boolean
  dispute: SponsorshipTable['disputeState']
}

/** Excludes fully refunded, charged-back or voided sponsorships. */
export function isNotRefunded(eb: ExpressionBuilder<Schema, 'sponsorship'>): Expression<SqlBool> {
  return eb.and([
    eb('amountRefunded', '<', eb.ref('amount')),
    eb('voidedAt', 'is', null),
    eb.or([eb('disputeState', 'is', null), eb('disputeState', '!=', 'lost')]),
  ])
}

export const DONE_COLUMNS = {
  remarks: 'remarksDoneAt',
  table: 'reservedTableDoneAt',
  logo: 'logoDoneAt',
} as const satisfies Record<BenefitKind, keyof SponsorshipTable>

export function toSponsorship({ reservedTable, disputeState, ...row }: SponsorshipTable): Sponsorship {
  return { ...row, reservedTable: reservedTable === 1, dispute: disputeState }
}
