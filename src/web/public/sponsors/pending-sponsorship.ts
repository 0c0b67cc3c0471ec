import { sessionStore } from '#web/session/browser-storage.ts'

const KEY = 'sponsorship'

/** docs/product-rules.md#the-pending-sponsorship-in-the-browser */
export interface PendingSponsorship {
  company: string
  tier: string
}

export function storePendingSponsorship({ company, tier }: PendingSponsorship): void {
  sessionStore.set(KEY, JSON.stringify({ company, tier }))
}

/** null in another tab or browser, or if it cannot be read. */
export function readPendingSponsorship(): PendingSponsorship | null {
  try {
    const { company, tier } = JSON.parse(sessionStore.get(KEY) ?? 'null')
    return typeof company === 'string' && typeof tier === 'string' ? { company, tier } : null
  } catch {
    return null
  }
}
