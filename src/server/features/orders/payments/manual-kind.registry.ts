import type { Tx } from '#server/db/database.ts'
import type { PaymentKind } from '#server/db/schema/money-schema.ts'
import type { ManualPayment } from './manual-payment.rules.ts'

/** A payment outside the card provider as an officer enters it, for anything that can be paid. Fields that do not belong to its kind are empty. */
export interface ManualRow extends ManualPayment {
  kind: PaymentKind
  /** Of the payer: an account's for dues, otherwise where the receipt goes. */
  email: string
  name: string
  /** Sponsorship: empty for a person. */
  company: string
  levelKey: string
  eventId: string
  /** Seats: besides the payer. */
  guests: number
  /** Sponsorship: a tier, or 'Custom Amount'. */
  tierName: string
  /** Why the amount is not the price; empty if it is. */
  note: string
}

export interface RowFault {
  field: keyof ManualRow | 'paidOn'
  message: string
}

/** What recording a row would do, as of now. */
export interface ManualPlan {
  /** Why it cannot be recorded; then nothing else counts. */
  faults: RowFault[]
  /** The payer's name. */
  payer: string
  /** Cents; null if there is none to compare the amount with. */
  price: number | null
  /** What happens, in sentences. */
  sentences: string[]
  /** Writes it, with its ledger entry, audit log and emails. Call in the transaction of the plan, once. */
  record(now: number): Promise<RecordedPayment>
}

export interface RecordedPayment {
  id: string
  receiptNumber: string
}

/** What the rows planned so far will use, so that rows of one request do not contradict each other. */
export interface ManualBatch {
  accounts: Set<string>
  references: Set<string>
  /** By event. */
  seats: Map<string, number>
  /** By event, and then by kind. */
  tickets: Map<string, Map<string, number>>
}

export function newBatch(): ManualBatch {
  return { accounts: new Set(), references: new Set(), seats: new Map(), tickets: new Map() }
}

/** How an officer's records of one kind are written. */
export interface ManualKind {
  /** Locks what the row changes, and plans it. Writes nothing. @param by the officer's account id */
  plan(tx: Tx, row: ManualRow, by: string, batch: ManualBatch): Promise<ManualPlan>
}

export function faulty(faults: RowFault[], payer = ''): ManualPlan {
  return {
    faults,
    payer,
    price: null,
    sentences: [],
    record: () => Promise.reject(new Error('a row with faults cannot be recorded')),
  }
}

/** A fault if the reference was recorded before or stands in another row. Adds it to the batch. */
export function findDouble(
  reference: string,
  recorded: { receiptNumber: string | null } | null,
  batch: ManualBatch,
): RowFault[] {
  const message = recorded
    ? `This is already recorded, with receipt ${recorded.receiptNumber}`
    : batch.references.has(reference.toLowerCase())
      ? 'Another row has the same payer, method and reference'
      : null
  batch.references.add(reference.toLowerCase())
  return message === null ? [] : [{ field: 'reference', message }]
}
