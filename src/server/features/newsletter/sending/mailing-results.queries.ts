import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** The states of a mailing's copies, counted. */
export interface MailingResults {
  recipients: number
  delivered: number
  bounced: number
  unsubscribed: number
}

/** The results of these newsletters by id; those that were not sent from this site have none. */
export async function listMailingResults(db: Db, campaignIds: readonly string[]): Promise<Map<string, MailingResults>> {
  if (campaignIds.length === 0) return new Map()
  const [mailings, others, unsubscribed] = await Promise.all([
    db.selectFrom('mailing').select(['campaignId', 'recipients']).where('campaignId', 'in', campaignIds).execute(),
    // Accepted copies are most of the rows: they are what the other states leave.
    db
      .selectFrom('delivery')
      .select(({ fn }) => ['campaignId', 'state', fn.countAll<number | string>().as('count')])
      .where('campaignId', 'in', campaignIds)
      .where('state', 'in', ['waiting', 'sending', 'bounced', 'failed', 'uncertain', 'skipped'])
      .groupBy(['campaignId', 'state'])
      .execute(),
    countUnsubscribed(db, campaignIds),
  ])
  return new Map(
    mailings.map(({ campaignId, recipients }) => {
      const own = others.filter((one) => one.campaignId === campaignId)
      const notDelivered = own.reduce((sum, { count }) => sum + Number(count), 0)
      const bounced = Number(own.find(({ state }) => state === 'bounced')?.count ?? 0)
      const delivered = Math.max(0, recipients - notDelivered)
      return [campaignId, { recipients, delivered, bounced, unsubscribed: unsubscribed.get(campaignId) ?? 0 }]
    }),
  )
}

/** Recipients who left after a newsletter and before the next: no one is tracked, so this is what can be known. */
async function countUnsubscribed(db: Db, campaignIds: readonly string[]): Promise<Map<string, number>> {
  // The last mailing before each departure is looked up first: comparing each mailing with each departure takes as long as both together.
  const departures = db
    .selectFrom('subscriber')
    .select((eb) => [
      'subscriber.id',
      eb
        .selectFrom('mailing')
        .select('campaignId')
        .whereRef('startedAt', '<=', 'subscriber.leftAt')
        .orderBy('startedAt', 'desc')
        .orderBy('campaignId')
        .limit(1)
        .as('campaignId'),
    ])
    .where('subscriber.state', '=', 'left')
    .where('subscriber.leftAt', '>=', (eb) =>
      eb
        .selectFrom('mailing')
        .select(({ fn }) => fn.min('startedAt').as('first'))
        .where('campaignId', 'in', campaignIds),
    )
  const rows = await db
    .selectFrom(departures.as('departure'))
    .innerJoin('delivery', (join) =>
      join.on('delivery.id', '=', sql<string>`departure.campaign_id || '.' || departure.id`),
    )
    .select(({ fn }) => ['departure.campaignId', fn.countAll<number | string>().as('count')])
    .where('departure.campaignId', 'in', campaignIds)
    .groupBy('departure.campaignId')
    .$narrowType<{ campaignId: string }>()
    .execute()
  return new Map(rows.map(({ campaignId, count }) => [campaignId, Number(count)]))
}
