import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import type { SampleFiles } from './samples.schema.ts'
import { saveCampaign } from '#server/features/newsletter/campaign.commands.ts'
import { contentFromMarkdown } from '#server/features/newsletter/composing/campaign-text.service.ts'
import { insertSubscribers } from '#server/features/newsletter/subscribers/subscriber.commands.ts'
import { NOT_IMPORTED, type Subscriber } from '#server/features/newsletter/subscribers/subscriber.queries.ts'

const DAY_MS = 86_400_000
const DAYS_APART = 3

/** Inserts sample newsletters and subscribers, for a site that runs on stand-ins. */
export async function seedNewsletter(
  tx: Tx,
  { campaigns, subscribers }: SampleFiles['newsletter'],
  now: number,
): Promise<void> {
  for (const { body, picture = null, ...campaign } of campaigns) {
    const sentAt = Date.parse(campaign.sentAt)
    await saveCampaign(tx, {
      ...campaign,
      recipients: 'subscribers',
      ...contentFromMarkdown(body),
      picture,
      createdAt: sentAt,
      updatedAt: sentAt,
      sentAt,
    })
  }
  const states = Object.entries(subscribers).flatMap(([state, count]) =>
    Array.from({ length: count }, () => state as Subscriber['state']),
  )
  await insertSubscribers(
    tx,
    states.map((state, index) => sampleSubscriber(state, index, now)),
  )
}

function sampleSubscriber(state: Subscriber['state'], index: number, now: number): Subscriber {
  const askedAt = now - (state === 'pending' ? 1 : (index + 2) * DAYS_APART) * DAY_MS
  const isOut = state === 'left' || state === 'bounced' || state === 'complained'
  return {
    id: newId(askedAt),
    email: `reader${String(index + 1).padStart(3, '0')}@example.org`,
    state,
    source: index % 3 === 0 ? 'newsletter-page' : 'homepage',
    askedAt,
    confirmedAt: state === 'pending' ? null : askedAt + DAY_MS / 24,
    leftAt: isOut ? now - DAY_MS : null,
    ...NOT_IMPORTED,
  }
}
