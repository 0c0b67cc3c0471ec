/** 'R-2026-7K3M9Q': the year of payment and the random tail of the payment's id. */
export function receiptNumber(paymentId: string, paidAt: number, yearOf: (instant: number) => string): string {
  return `R-${yearOf(paidAt)}-${paymentId.slice(-8).toUpperCase()}`
}
