import { downloadReceipt, listMemberPayments, type MemberPayment } from '#contract/public/billing.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

/** Newest first. @throws {CallFailure} */
export async function getPayments(): Promise<MemberPayment[]> {
  return (await callAsMember(listMemberPayments)).payments
}

/** Downloads a receipt. A plain link cannot, because the request needs the bearer token. @throws {CallFailure} */
export async function saveReceipt(receiptNumber: string): Promise<void> {
  const file = await callAsMember(downloadReceipt, { params: { receiptNumber } })
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `receipt-${receiptNumber}.pdf`
  link.click()
  URL.revokeObjectURL(url)
}
