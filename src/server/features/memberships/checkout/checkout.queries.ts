import type { CheckoutTable } from '#server/db/schema/membership-schema.ts'

/** An order of a membership. `amount` is charged today: the level's price minus `credit`. */
export interface Checkout extends Omit<CheckoutTable, 'allowsCodes' | 'tokenHandedAt'> {
  /** Whether the hosted page accepts coupon codes. */
  allowsCodes: boolean
  tokenIssuedAt: number | null
}

export function toCheckout({ allowsCodes, tokenHandedAt, ...row }: CheckoutTable): Checkout {
  return { ...row, allowsCodes: allowsCodes === 1, tokenIssuedAt: tokenHandedAt }
}
