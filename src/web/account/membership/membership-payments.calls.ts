import type { ReplyOf } from '#contract/endpoint.ts'
import {
  downloadReceipt,
  downloadStatement,
  listMemberPayments,
  listStatements,
  type MemberPayment,
} from '#contract/public/billing.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

/** Newest first. @throws {CallFailure} */
export async function getPayments(): Promise<MemberPayment[]> {
  return (await callAsMember(listMemberPayments)).payments
}

/** Downloads a receipt. A plain link cannot, because the request needs the bearer token. @throws {CallFailure} */
export async function saveReceipt(receiptNumber: string): Promise<void> {
  const file = await callAsMember(downloadReceipt, { params: { receiptNumber } })
  downloadFile(file, `receipt-${receiptNumber}.pdf`)
}

/** What was paid in each calendar year, newest first. @throws {CallFailure} */
export async function getStatements(): Promise<ReplyOf<typeof listStatements>['years']> {
  return (await callAsMember(listStatements)).years
}

/** Downloads the statement of a calendar year. @throws {CallFailure} */
export async function saveStatement(year: number): Promise<void> {
  const file = await callAsMember(downloadStatement, { params: { year: String(year) } })
  downloadFile(file, `statement-${year}.pdf`)
}
