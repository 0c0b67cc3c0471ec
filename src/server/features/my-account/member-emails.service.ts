import type { AppContext } from '#server/app-context.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listMemberEmails, MemberNewsletter, SentEmail } from '#contract/public/my-account/member-emails.ts'
import { listEmailsAbout, type EffectRecord } from '#server/jobs/outbox-records.repository.ts'
import { findEmailSubjectIds } from '#server/features/accounts/email-subjects.queries.ts'
import { topicsInUse } from '#server/features/email-topics/email-topics.rules.ts'
import { listTopicChoices } from '#server/features/email-topics/email-topic.queries.ts'
import {
  listDeliveriesTo,
  listDeliveriesToMember,
  type SubscriberDelivery,
} from '#server/features/newsletter/sending/delivery.queries.ts'
import type { NewsletterService } from '#server/features/newsletter/subscribers/newsletter.service.ts'
import { findSubscriberByEmail, type Subscriber } from '#server/features/newsletter/subscribers/subscriber.queries.ts'
import { requireAccount } from './account.service.ts'

const EMAILS_SHOWN = 10

export function createMemberEmailsService(
  { db, cache }: AppContext,
  {
    newsletter,
    emailNames,
  }: {
    newsletter: Pick<NewsletterService, 'askToSubscribe' | 'unsubscribe'>
    /** What is read for each kind of email. */
    emailNames: ReadonlyMap<string, string>
  },
) {
  return {
    async list(accountId: string): Promise<ReplyOf<typeof listMemberEmails>> {
      const { email } = await requireAccount(db, accountId)
      const subscriber = await findSubscriberByEmail(db, email)
      const queued = await listEmailsAbout(db, await findEmailSubjectIds(db, email, [accountId]))
      const newsletters = subscriber ? await listDeliveriesTo(db, subscriber.id, EMAILS_SHOWN) : []
      const toMember = await listDeliveriesToMember(db, accountId, EMAILS_SHOWN)
      const recent = [
        ...queued.flatMap((one) => toEmail(one, emailNames)),
        ...newsletters.map((one) => toDelivery(one, true)),
        ...toMember.map((one) => toDelivery(one, false)),
      ]
        .sort((one, other) => other.at.localeCompare(one.at))
        .slice(0, EMAILS_SHOWN)
      return {
        newsletter: newsletterState(subscriber),
        topics: await listTopicChoices(db, accountId, topicsInUse(cache.content().emailTopics)),
        recent,
      }
    },

    /** Subscribing asks for a confirmation by email; unsubscribing takes effect immediately. No-op if nothing changes. */
    async setNewsletter(accountId: string, isWanted: boolean): Promise<MemberNewsletter> {
      const { email } = await requireAccount(db, accountId)
      const before = newsletterState(await findSubscriberByEmail(db, email))
      if (isWanted && before !== 'subscribed') {
        await newsletter.askToSubscribe(email, 'account')
        return 'pending'
      }
      if (!isWanted && before !== 'off') await newsletter.unsubscribe(email)
      return isWanted ? 'subscribed' : 'off'
    },
  }
}

export type MemberEmailsService = ReturnType<typeof createMemberEmailsService>

function newsletterState(subscriber: Pick<Subscriber, 'state'> | null): MemberNewsletter {
  switch (subscriber?.state) {
    case 'subscribed':
    case 'pending':
    case 'bounced':
      return subscriber.state
    default:
      return 'off'
  }
}

const EFFECT_STATES = { done: 'sent', 'given up': 'failed', waiting: 'waiting' } as const

/** Effects that are no email to the member, such as a copy for the officers, are left out. */
function toEmail({ kind, state, at }: EffectRecord, emailNames: ReadonlyMap<string, string>): SentEmail[] {
  const what = emailNames.get(kind)
  if (what === undefined) return []
  return [{ what, isNewsletter: false, at: new Date(at).toISOString(), state: EFFECT_STATES[state] }]
}

const DELIVERY_STATES = {
  waiting: 'waiting',
  sending: 'waiting',
  accepted: 'sent',
  uncertain: 'sent',
  bounced: 'bounced',
  failed: 'failed',
} as const

function toDelivery({ subject, state, at }: SubscriberDelivery, isNewsletter: boolean): SentEmail {
  return { what: subject, isNewsletter, at: new Date(at).toISOString(), state: DELIVERY_STATES[state] }
}
