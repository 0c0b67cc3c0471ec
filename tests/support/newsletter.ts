import type { AppContext } from '#server/app-context.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import type { MailingLists } from '#server/features/newsletter/sending/mailing-lists.registry.ts'
import { createSubscriberMailing } from '#server/features/newsletter/sending/subscriber-mailing.service.ts'
import { partialContext } from './partial-context.ts'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import { saveCampaign } from '#server/features/newsletter/campaign.commands.ts'
import { type StoredCampaign } from '#server/features/newsletter/campaign.queries.ts'
import { contentFromMarkdown } from '#server/features/newsletter/composing/campaign-text.service.ts'
import { createMailingService, type MailingService } from '#server/features/newsletter/sending/mailing.service.ts'
import { insertSubscribers } from '#server/features/newsletter/subscribers/subscriber.commands.ts'
import { NOT_IMPORTED, type Subscriber } from '#server/features/newsletter/subscribers/subscriber.queries.ts'

/** An unsent campaign; `given` overrides single fields, `body` is Markdown. */
export function createCampaign({ body, ...given }: Partial<StoredCampaign> & { body?: string } = {}): StoredCampaign {
  const now = Date.now()
  return {
    id: 'november',
    recipients: 'subscribers',
    name: 'November',
    subject: 'News of November',
    ...contentFromMarkdown(body ?? 'The clinic opens on **Saturday**: [the days](/clinic).'),
    picture: null,
    snippet: 'What is new.',
    canEmbed: true,
    hasView: true,
    createdAt: now,
    updatedAt: now,
    sentAt: null,
    ...given,
  }
}

/** A confirmed subscriber, identified by the local part of the address. */
export function createSubscriber(email: string, state: Subscriber['state'] = 'subscribed'): Subscriber {
  const now = Date.now()
  return {
    id: `s-${email.split('@')[0]}`,
    email,
    state,
    source: 'test',
    askedAt: now,
    confirmedAt: state === 'pending' ? null : now,
    leftAt: null,
    ...NOT_IMPORTED,
  }
}

/** Makes these the only subscribers: `reader0@example.com` and so on. Returns their addresses. */
export async function setSubscribers(db: Kysely<Schema>, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, number) => `reader${number}@example.com`)
  await db.deleteFrom('subscriber').execute()
  await insertSubscribers(
    db,
    emails.map((email) => createSubscriber(email)),
  )
  return emails
}

/** The mailing lists of a service under test. Only the newsletter's is there: emails to members are tested over HTTP. */
export function mailingLists(ctx: AppContext): MailingLists {
  return {
    subscribers: createSubscriberMailing(ctx),
    get members(): never {
      throw new Error('This test sends no email to members.')
    },
  }
}

/** Runs the admin command's job; a running site sends its own emails. */
export function mailingsFor(db: Kysely<Schema>, now: () => number = Date.now): MailingService {
  const ctx = partialContext({
    db,
    clock: { now, close() {} },
    cache: { refresh: async () => {} } as never,
    secrets: createSecrets('a secret for tests, and for tests only, of fair length'),
    settings: () => ({ newsletter: { hardBounces: 2, softBounces: 3 } }) as ReturnType<AppContext['settings']>,
    siteUrl: 'http://localhost:3000',
    association: () => Promise.reject(new Error('No email is rendered here.')),
  })
  return createMailingService(ctx, { lists: mailingLists(ctx) })
}

/** Stores a campaign and queues it for the running site. */
export async function startMailing(db: Kysely<Schema>, campaign: StoredCampaign): Promise<void> {
  await saveCampaign(db, campaign)
  const begun = await mailingsFor(db).start(campaign.id)
  if ('refused' in begun) throw new Error(`The newsletter was not sent: ${begun.refused}`)
}
