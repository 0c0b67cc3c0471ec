import type { Kysely } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Clock } from '#server/platform/clock.ts'
import { equalSecrets, type Secrets } from '#server/platform/secrets.ts'
import { addressHash } from './address-hash.ts'
import { readNotice, readReturnedMail, type ReturnedLetter } from './returned-mail.ts'
import { findDelivery, markBounced } from './delivery.repository.ts'
import { countBounce, findSubscriber, findSubscriberByEmail, markOut, suppress } from './subscriber.repository.ts'

/** `hard`: no such mailbox; `soft`: not now; `complaint`: the recipient called it spam. */
export type BounceKind = 'hard' | 'soft' | 'complaint'

export interface BounceLimits {
  hardBounces: number
  softBounces: number
}

export interface BouncesService {
  /** A provider's notice; null when it does not show our key or cannot be read. */
  receive(body: Uint8Array, from: { key: string; contentType: string }): Promise<number | null>
  /** Takes note of letters that came back. Answers how many concerned a subscriber of ours. */
  take(returned: readonly ReturnedLetter[]): Promise<number>
  /** In the transaction of whoever learned of it. At the limit the address is suppressed for good (docs/product-rules.md#suppression). */
  record(db: Db, subscriberId: string, kind: BounceKind): Promise<void>
}

export const BOUNCES_PATH = '/api/newsletter/bounces'

/** What a provider shows with its notices, to prove it is the one that was told. */
export function bounceKey(secrets: Secrets): string {
  return secrets.token('bounce-webhook', BOUNCES_PATH)
}

export function createBouncesService({
  db,
  clock,
  secrets,
  bounceLimits,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  bounceLimits(): BounceLimits
}): BouncesService {
  async function record(tx: Db, subscriberId: string, kind: BounceKind): Promise<void> {
    const now = clock.now()
    const counts = kind === 'complaint' ? null : await countBounce(tx, subscriberId, kind)
    const subscriber = await findSubscriber(tx, subscriberId)
    if (!subscriber) return
    const { hardBounces, softBounces } = bounceLimits()
    const isOver = counts === null || counts.hard >= hardBounces || counts.soft >= softBounces
    if (!isOver) return
    await suppress(tx, addressHash(secrets, subscriber.email), kind === 'complaint' ? 'complaint' : 'bounce', now)
    await markOut(tx, subscriberId, kind === 'complaint' ? 'complained' : 'bounced', now)
  }

  async function take(returned: readonly ReturnedLetter[]): Promise<number> {
    let ours = 0
    for (const { deliveryId, email, kind, reason } of returned) {
      const delivery = deliveryId === null ? null : await findDelivery(db, deliveryId)
      const subscriberId = delivery?.subscriberId ?? (email && (await findSubscriberByEmail(db, email))?.id)
      if (!subscriberId) continue
      ours++
      await db.transaction().execute(async (tx) => {
        const isCopy = delivery !== null && kind !== 'complaint'
        // Providers tell more than once, and a notice that was half taken comes again: a copy comes back once.
        if (isCopy && !(await markBounced(tx, delivery.id, reason, clock.now()))) return
        await record(tx, subscriberId, kind)
      })
    }
    return ours
  }

  return {
    record,
    take,
    async receive(body, { key, contentType }) {
      if (!equalSecrets(key, bounceKey(secrets))) return null
      if (contentType.startsWith('message/')) return take(await readReturnedMail(body))
      const returned = readNotice(new TextDecoder().decode(body))
      return returned && take(returned)
    },
  }
}
