import type { AppContext } from '#server/app-context.ts'
import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'
import { parseBounceWebhook, parseBounceEmail, type BounceReport } from './bounce-report.service.ts'
import type { MailingLists } from '../sending/mailing-lists.registry.ts'
import { findDelivery, markBounced } from '../sending/delivery.repository.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { findSubscriberByEmail } from './subscriber.queries.ts'

/** `hard`: no such mailbox; `soft`: a temporary failure; `complaint`: the recipient marked it as spam. */
export type BounceKind = 'hard' | 'soft' | 'complaint'

export const BOUNCES_PATH = '/api/newsletter/bounces'

/** The bearer key that the email provider sends with each bounce webhook. */
export function bounceKey(secrets: Secrets): string {
  return secrets.token('bounce-webhook', BOUNCES_PATH)
}

export function createBouncesService({ db, clock, secrets }: AppContext, { lists }: { lists: MailingLists }) {
  async function take(bounces: readonly BounceReport[]): Promise<number> {
    let matched = 0
    for (const { deliveryId, email, kind, reason } of bounces) {
      const delivery = deliveryId === null ? null : await findDelivery(db, deliveryId)
      const subscriber = delivery === null && email !== null ? await findSubscriberByEmail(db, email) : null
      const account = delivery === null && !subscriber && email !== null ? await findAccountByEmail(db, email) : null
      const recipient =
        delivery ??
        (subscriber && { recipientId: subscriber.id, recipients: 'subscribers' as const, id: null }) ??
        (account && { recipientId: account.id, recipients: 'members' as const, id: null })
      if (!recipient) continue
      matched++
      await db.transaction().execute(async (tx) => {
        const isCopy = recipient.id !== null && kind !== 'complaint'
        // Providers repeat reports, and retry a batch that failed halfway: count each copy's bounce once.
        if (isCopy && !(await markBounced(tx, recipient.id, reason, clock.now()))) return
        await lists[recipient.recipients].recordBounce(tx, recipient.recipientId, kind)
      })
    }
    return matched
  }

  return {
    /** Records bounces. Returns how many matched a recipient. */
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
