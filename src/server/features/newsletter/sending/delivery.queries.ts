import type { Db } from '#server/db/database.ts'
import type { DeliveryState } from '#server/db/schema/newsletter-schema.ts'

export interface SubscriberDelivery {
  subject: string
  state: Exclude<DeliveryState, 'skipped'>
  /** When it finished, else when it was due. */
  at: number
}

/** The newest newsletters to a subscriber, newest first. */
export async function listDeliveriesTo(db: Db, subscriberId: string, limit: number): Promise<SubscriberDelivery[]> {
  // A copy's id begins with its campaign's, so that both are found by their keys.
  const campaigns = await db
    .selectFrom('campaign')
    .select(['id', 'subject'])
    .where('sentAt', 'is not', null)
    .orderBy('sentAt', 'desc')
    .limit(limit)
    .execute()
  if (campaigns.length === 0) return []
  const subjects = new Map(campaigns.map(({ id, subject }) => [`${id}.${subscriberId}`, subject]))
  const rows = await db
    .selectFrom('delivery')
    .select(['id', 'state', 'dueAt', 'finishedAt'])
    .where('id', 'in', [...subjects.keys()])
    .execute()
  return rows
    .flatMap(({ id, state, dueAt, finishedAt }): SubscriberDelivery[] =>
      state === 'skipped' ? [] : [{ subject: subjects.get(id) ?? '', state, at: finishedAt ?? dueAt }],
    )
    .sort((one, other) => other.at - one.at)
}

/** The newest emails to a member as one, newest first. */
export async function listDeliveriesToMember(db: Db, accountId: string, limit: number): Promise<SubscriberDelivery[]> {
  const rows = await db
    .selectFrom('delivery')
    .innerJoin('campaign', 'campaign.id', 'delivery.campaignId')
    .select(['campaign.subject', 'delivery.state', 'delivery.dueAt', 'delivery.finishedAt'])
    .where('delivery.recipientId', '=', accountId)
    .where('delivery.state', '!=', 'skipped')
    .orderBy('delivery.dueAt', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(({ subject, state, dueAt, finishedAt }) =>
    state === 'skipped' ? [] : [{ subject, state, at: finishedAt ?? dueAt }],
  )
}

/** How many copies to a recipient at this address bounced. */
export async function countBouncedCopies(db: Db, recipientId: string, email: string): Promise<number> {
  const { count } = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('recipientId', '=', recipientId)
    .where('email', '=', email)
    .where('state', '=', 'bounced')
    .executeTakeFirstOrThrow()
  return Number(count)
}
