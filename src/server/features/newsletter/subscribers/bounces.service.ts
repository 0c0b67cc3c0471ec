import type { AppContext } from '#server/app-context.ts'
import type { Db } from '#server/db/database.ts'
import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { parseBounceWebhook, parseBounceEmail, type BounceReport } from './bounce-report.service.ts'
import { findDelivery, markBounced } from '../sending/delivery.repository.ts'
import { countBounce, findSubscriber, unsubscribeAfterBounce } from './subscriber.repository.ts'
import { findSubscriberByEmail } from './subscriber.queries.ts'
import { suppress } from './subscriber.commands.ts'

/** `hard`: no such mailbox; `soft`: a temporary failure; `complaint`: the recipient marked it as spam. */
export type BounceKind = 'hard' | 'soft' | 'complaint'

export interface BounceLimits {
  hardBounces: number
  softBounces: number
}

export const BOUNCES_PATH = '/api/newsletter/bounces'

/** The bearer key that the email provider sends with each bounce webhook. */
export function bounceKey(secrets: Secrets): string {
  return secrets.token('bounce-webhook', BOUNCES_PATH)
}

export function createBouncesService({ db, clock, secrets, settings }: AppContext) {
  /** Counts a bounce in the caller's transaction; at the limit the address is suppressed permanently (docs/product-rules.md#suppression). */
  async function record(tx: Db, subscriberId: string, kind: BounceKind): Promise<void> {
    const now = clock.now()
    const counts = kind === 'complaint' ? null : await countBounce(tx, subscriberId, kind)
    const subscriber = await findSubscriber(tx, subscriberId)
    if (!subscriber) return
    const { hardBounces, softBounces } = settings().newsletter
    const isLimitReached = counts === null || counts.hard >= hardBounces || counts.soft >= softBounces
    if (!isLimitReached) return
    await suppress(tx, addressHash(secrets, subscriber.email), kind === 'complaint' ? 'complaint' : 'bounce', now)
    await unsubscribeAfterBounce(tx, subscriberId, kind === 'complaint' ? 'complained' : 'bounced', now)
  }

  async function take(bounces: readonly BounceReport[]): Promise<number> {
    let matched = 0
    for (const { deliveryId, email, kind, reason } of bounces) {
      const delivery = deliveryId === null ? null : await findDelivery(db, deliveryId)
      const subscriberId = delivery?.subscriberId ?? (email && (await findSubscriberByEmail(db, email))?.id)
      if (!subscriberId) continue
      matched++
      await db.transaction().execute(async (tx) => {
        const isCopy = delivery !== null && kind !== 'complaint'
        // Providers repeat reports, and retry a batch that failed halfway: count each copy's bounce once.
        if (isCopy && !(await markBounced(tx, delivery.id, reason, clock.now()))) return
        await record(tx, subscriberId, kind)
      })
    }
    return matched
  }

  return {
    record,
    /** Records bounces. Returns how many matched a subscriber. */
    recordAll: take,
    /** Handles a bounce webhook of the email provider. Returns null if the key is wrong or the body is invalid. */
    async handleWebhook(
      body: Uint8Array,
      { key, contentType }: { key: string; contentType: string },
    ): Promise<number | null> {
      if (!equalSecrets(key, bounceKey(secrets))) return null
      if (contentType.startsWith('message/')) return take(await parseBounceEmail(body))
      const bounces = parseBounceWebhook(new TextDecoder().decode(body))
      return bounces && take(bounces)
    },
  }
}

export type BouncesService = ReturnType<typeof createBouncesService>
