import type { MembershipCard } from '#contract/public/my-account/membership-card.ts'
import { localStore } from '#web/session/browser-storage.ts'
import { KEPT_CARD_PREFIX, removeKeptCards } from '#web/session/offline/kept-card.ts'
import { currentToken } from '#web/session/session.ts'
import { tokenOwner } from '#web/session/token.rules.ts'
import { CARD_PAGE, removeOfflinePage } from '#web/session/offline/offline-pages.ts'
import { enableOfflinePage } from '#web/session/offline/enable-offline-page.ts'

/** How long a card stays on a phone that no longer reaches the site. */
export const CARD_KEPT_DAYS = 30
const KEPT_MS = CARD_KEPT_DAYS * 86_400_000

/** The card kept in this browser: that of the account, or without a session the only one there is. */
export function readStoredCard(owner: string | null, now: number): MembershipCard | null {
  const key = owner === null ? localStore.keys().find((one) => one.startsWith(KEPT_CARD_PREFIX)) : keyOf(owner)
  try {
    const card = JSON.parse(localStore.get(key ?? '') ?? 'null') as MembershipCard | null
    if (!card || Date.parse(card.checkedAt) > now - KEPT_MS) return card
  } catch {
    // Not readable: as if there were none.
  }
  removeKeptCards()
  return null
}

export function storeCard(owner: string, card: MembershipCard): void {
  localStore.set(keyOf(owner), JSON.stringify(card))
}

/** Makes the page open without a network. Resolves to false when the browser cannot; nothing is then kept. */
export async function keepCard(owner: string, card: MembershipCard): Promise<boolean> {
  if (!(await enableOfflinePage(CARD_PAGE)) || tokenOwner(currentToken()) !== owner) return false
  storeCard(owner, card)
  return true
}

export async function dropCard(): Promise<void> {
  removeKeptCards()
  await removeOfflinePage(CARD_PAGE)
}

function keyOf(owner: string): string {
  return KEPT_CARD_PREFIX + owner
}
