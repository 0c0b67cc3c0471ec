import type { AppContext } from '#server/app-context.ts'
import { sql } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { Db } from '#server/db/database.ts'
import type { DeliveryState } from '#server/db/schema/newsletter-schema.ts'
import type { EmailBlock } from '#server/emails/email.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { UNSUBSCRIBE_PLACEHOLDER, VIEW_PATH } from '../campaign.emails.ts'
import type { StoredCampaign } from '../campaign.queries.ts'
import type { BounceKind } from '../subscribers/bounces.service.ts'
import { ONE_CLICK_PATH } from '../newsletter-paths.rules.ts'
import { suppress } from '../subscribers/subscriber.commands.ts'
import { listSuppressed } from '../subscribers/subscriber.queries.ts'
import { countBounce, findSubscriber, unsubscribeAfterBounce } from '../subscribers/subscriber.repository.ts'
import { createUnsubscribeToken } from '../subscribers/subscription-token.service.ts'
import type { ClaimedDelivery } from './delivery.repository.ts'
import type { MailingList, Personalization } from './mailing-lists.registry.ts'

/** Newsletters go to everyone who is subscribed. */
export function createSubscriberMailing({ clock, secrets, settings, siteUrl, association }: AppContext): MailingList {
  return {
    async createDeliveries(tx, campaignId, now) {
      const { numInsertedOrUpdatedRows = 0n } = await tx
        .insertInto('delivery')
        .columns(['id', 'campaignId', 'recipientId', 'email', 'state', 'attempts', 'dueAt'])
        .expression((eb) =>
          eb
            .selectFrom('subscriber')
            .select([
              sql<string>`${campaignId} || '.' || id`.as('id'),
              eb.val(campaignId).as('campaignId'),
              'id as recipientId',
              'email',
              sql<DeliveryState>`'waiting'`.as('state'),
              sql<number>`0`.as('attempts'),
              sql<number>`cast(${now} as bigint)`.as('dueAt'),
            ])
            .where('state', '=', 'subscribed'),
        )
        .executeTakeFirst()
      return { copies: Number(numInsertedOrUpdatedRows), isEmpty: numInsertedOrUpdatedRows === 0n }
    },

    async listAllowed(db, _campaignId, deliveries) {
      const hashes = deliveries.map(({ email }) => addressHash(secrets, email))
      const [subscribed, suppressed] = await Promise.all([
        listSubscribedIds(db, deliveries),
        listSuppressed(db, hashes),
      ])
      const allowed = deliveries.filter(
        ({ recipientId }, index) => subscribed.has(recipientId) && !suppressed.has(hashes[index] ?? ''),
      )
      return new Set(allowed.map(({ id }) => id))
    },

    unsubscribePage: '/newsletter/unsubscribe',

    skippedReason: 'unsubscribed before it was sent',

    footer: async (_db, campaign) => newsletterFooter(campaign, siteUrl),

    async personalize() {
      const sender = await association()
      return (subscriberId) => personalizeNewsletter(subscriberId, { siteUrl, association: sender, secrets })
    },

    /** At the limit the address is suppressed permanently (docs/product-rules.md#suppression). */
    async recordBounce(tx: Db, subscriberId: string, kind: BounceKind) {
      const now = clock.now()
      const counts = kind === 'complaint' ? null : await countBounce(tx, subscriberId, kind)
      const subscriber = await findSubscriber(tx, subscriberId)
      if (!subscriber) return
      const { hardBounces, softBounces } = settings().newsletter
      const isLimitReached = counts === null || counts.hard >= hardBounces || counts.soft >= softBounces
      if (!isLimitReached) return
      await suppress(tx, addressHash(secrets, subscriber.email), kind === 'complaint' ? 'complaint' : 'bounce', now)
      await unsubscribeAfterBounce(tx, subscriberId, kind === 'complaint' ? 'complained' : 'bounced', now)
    },
  }
}

async function listSubscribedIds(db: Db, deliveries: readonly ClaimedDelivery[]): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set()
  const ids = deliveries.map(({ recipientId }) => recipientId)
  const rows = await db
    .selectFrom('subscriber')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '=', 'subscribed')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The end of a newsletter: its page on the site, and the link to unsubscribe. */
export function newsletterFooter({ id, hasView }: Pick<StoredCampaign, 'id' | 'hasView'>, siteUrl: string) {
  const view: EmailBlock = {
    kind: 'link',
    lead: 'Trouble reading this email?',
    label: 'View it in your browser',
    url: `${siteUrl}${VIEW_PATH}${id}`,
  }
  const unsubscribe: EmailBlock = {
    kind: 'link',
    lead: 'You received this email because you subscribed to our newsletter.',
    label: 'Unsubscribe',
    url: UNSUBSCRIBE_PLACEHOLDER,
  }
  return hasView ? [view, unsubscribe] : [unsubscribe]
}

/** The subscriber's unsubscribe link, and the List-Unsubscribe headers (RFC 2369, RFC 8058). */
export function personalizeNewsletter(
  subscriberId: string,
  { siteUrl, association, secrets }: { siteUrl: string; association: Association; secrets: Secrets },
): Personalization {
  const token = createUnsubscribeToken(secrets, subscriberId)
  return {
    unsubscribeUrl: secretLink(siteUrl, '/newsletter/unsubscribe', { token }),
    headers: {
      ...oneClickHeaders(`${siteUrl}${ONE_CLICK_PATH}?${new URLSearchParams({ token })}`),
      'List-Id': `${association.name.replaceAll(/[^\w .-]/g, '')} <newsletter.${new URL(siteUrl).hostname}>`,
      Precedence: 'bulk',
    },
  }
}

/** One-click unsubscribe (RFC 8058). */
export function oneClickHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
