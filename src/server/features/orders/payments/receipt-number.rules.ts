/** The length of the random tail. */
const TAIL_LENGTH = 8

/** 'R-2026-7K3M9Q': the year of payment and the random tail of the payment's id. */
export function receiptNumber(paymentId: string, paidAt: number, yearOf: (instant: number) => string): string {
  return `R-${yearOf(paidAt)}-${paymentId.slice(-TAIL_LENGTH).toUpperCase()}`
}

/** The characters of all receipt numbers: those of an id (`newId`), and dashes. */
const CHARACTERS = /^[0-9a-hjkmnp-tv-z-]+$/i

/**
 * Whether a text is likely a part of a receipt number: false for names, so that a search need not compare them with all numbers. A part without a digit
 * is at least as long as the tail.
 */
export function mayBeInReceiptNumber(text: string): boolean {
  return CHARACTERS.test(text) && (/\d/.test(text) || text.length >= TAIL_LENGTH || /^r-/i.test(text))
}
