import type { MembershipCard } from '#contract/public/my-account/membership-card.ts'

/** What a card in a wallet shows: only what stays true while its code works, since a saved pass is never updated. */
export interface WalletPass {
  /** Unique to the code: after a new code, the pass of the former one stays as it is. */
  id: string
  title: string
  name: string
  number: number
  /** The content of the QR code. */
  code: string
}

/** @returns null for a card without a code */
export function walletPassOf(
  { name, number, code }: Pick<MembershipCard, 'name' | 'number' | 'code'>,
  { id, title }: Pick<WalletPass, 'id' | 'title'>,
): WalletPass | null {
  return code && { id, title, name, number, code: code.url }
}
