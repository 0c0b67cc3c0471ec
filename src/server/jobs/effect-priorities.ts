/** Effect priorities; smaller numbers run first. */
export const PRIORITIES = {
  /** Blocks a login, reports a security event of an account, or alerts the officers. */
  security: 0,
  /** Follows from one person's action: receipts, seats, replies, and the provider calls behind them. */
  personal: 1,
  /** Triggered by a date. */
  reminder: 2,
  /** One of many, such as an import or a mailing to all members. */
  bulk: 3,
} as const

export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES]
export type Level = keyof typeof PRIORITIES

/** Emails depend on the mail server, other effects mostly on the card provider; separate lanes keep one from blocking the other. */
export type Lane = 'emails' | 'rest'

export function laneOf(kind: string): Lane {
  return kind.startsWith('email.') ? 'emails' : 'rest'
}
