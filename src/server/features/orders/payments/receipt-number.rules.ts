/** 'R-2026-7K3M9Q': the year of payment and the random tail of the payment's id. */
export function receiptNumber(paymentId: string, paidAt: number, yearOf: (instant: number) => string): string {
  return `R-${yearOf(paidAt)}-${paymentId.slice(-8).toUpperCase()}`
}

/** The characters of all receipt numbers: those of an id (`newId`), and dashes. */
const CHARACTERS = /^[0-9a-hjkmnp-tv-z-]+$/i

/** Whether a text can be a part of a receipt number: false for most names, so that a search need not compare them with all numbers. */
export function mayBeInReceiptNumber(text: string): boolean {
  return CHARACTERS.test(text)
}
