import { downloadReceipt, listMemberPayments, type MemberPayment } from '#contract/billing.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'

/** Newest first. @throws {CallFailure} */
export async function getPayments(): Promise<MemberPayment[]> {
  return (await callAsMember(listMemberPayments)).payments
}

/** Has the browser save a receipt: it needs the bearer, so a plain link cannot fetch it. @throws {CallFailure} */
export async function saveReceipt(receiptNumber: string): Promise<void> {
  const file = await callAsMember(downloadReceipt, { params: { receiptNumber } })
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `receipt-${receiptNumber}.pdf`
  link.click()
  URL.revokeObjectURL(url)
}
