import { localStore } from '../browser-storage.ts'

/** The beginning of the key under which the card page keeps a member's card; the account's id follows. */
export const KEPT_CARD_PREFIX = 'card:'

/** Removes the membership cards kept in this browser, except that of the account with this id. Returns whether there were any. */
export function removeKeptCards(except: string | null = null): boolean {
  const others = localStore
    .keys()
    .filter((key) => key.startsWith(KEPT_CARD_PREFIX) && key !== `${KEPT_CARD_PREFIX}${except}`)
  for (const key of others) localStore.remove(key)
  return others.length > 0
}
