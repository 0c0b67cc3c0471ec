import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import { saveCampaign, type StoredCampaign } from '#server/features/newsletter/campaign.repository.ts'
import { wordsOfMarkdown } from '#server/features/newsletter/campaign-words.ts'
import { createMailingService, type MailingService } from '#server/features/newsletter/mailing.service.ts'
import { insertSubscribers, type Subscriber } from '#server/features/newsletter/subscriber.repository.ts'

/** A campaign that was not sent yet; `given` overrides single fields, `body` is Markdown. */
export function makeCampaign({ body, ...given }: Partial<StoredCampaign> & { body?: string } = {}): StoredCampaign {
  const now = Date.now()
  return {
    id: 'november',
    name: 'November',
    subject: 'News of November',
    ...wordsOfMarkdown(body ?? 'The clinic opens on **Saturday**: [the days](/clinic).'),
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

/** Somebody who confirmed; known by what stands before the @. */
export function makeReader(email: string, state: Subscriber['state'] = 'subscribed'): Subscriber {
  const now = Date.now()
  return {
    id: `s-${email.split('@')[0]}`,
    email,
    state,
    source: 'test',
    askedAt: now,
    confirmedAt: state === 'pending' ? null : now,
    leftAt: null,
  }
}

/** That many who are subscribed and nobody else: `reader0@example.com` and so on. Answers their addresses. */
export async function setReaders(db: Kysely<Schema>, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, number) => `reader${number}@example.com`)
  await db.deleteFrom('subscriber').execute()
  await insertSubscribers(
    db,
    emails.map((email) => makeReader(email)),
  )
  return emails
}

/** What the admin command does; the letters of a running site are its own. */
export function mailingsOf(db: Kysely<Schema>, now: () => number = Date.now): MailingService {
  return createMailingService({
    db,
    clock: { now, close() {} },
    officersEmail: 'office@example.org',
    association: () => Promise.reject(new Error('No letter is printed here.')),
  })
}

/** Stores a campaign and leaves it to the running site to send. */
export async function startMailing(db: Kysely<Schema>, campaign: StoredCampaign): Promise<void> {
  await saveCampaign(db, campaign)
  const begun = await mailingsOf(db).start(campaign.id)
  if ('refused' in begun) throw new Error(`The newsletter was not sent: ${begun.refused}`)
}
