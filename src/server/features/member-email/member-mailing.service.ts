import type { AppContext } from '#server/app-context.ts'
import { createHash } from 'node:crypto'
import { NOTICE, type MemberEmailTopic } from '#contract/console/emails/member-emails.ts'
import type { Db } from '#server/db/database.ts'
import type { EmailBlock } from '#server/emails/email.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { words } from '#server/emails/words.rules.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { campaignEmail, UNSUBSCRIBE_PLACEHOLDER } from '#server/features/newsletter/campaign.emails.ts'
import { findCampaign } from '#server/features/newsletter/campaign.queries.ts'
import type { MailingList } from '#server/features/newsletter/sending/mailing-lists.registry.ts'
import { oneClickHeaders } from '#server/features/newsletter/sending/subscriber-mailing.service.ts'
import { countBouncedCopies } from '#server/features/newsletter/sending/delivery.queries.ts'
import { suppress } from '#server/features/newsletter/subscribers/subscriber.commands.ts'
import { listBlockedAddresses } from '#server/features/newsletter/subscribers/subscriber.queries.ts'
import type { MemberAudiences } from './audience.service.ts'
import { wantsTopic } from '#server/features/email-topics/email-topic.queries.ts'
import { findTopic } from '#server/features/email-topics/email-topics.rules.ts'
import { createTopicToken } from '#server/features/email-topics/topic-choices.service.ts'
import { findMemberEmail } from './member-email.queries.ts'
import { insertRecipients, updateMemberEmail } from './member-email.repository.ts'

/** The path in the List-Unsubscribe header of emails to members. */
export const TOPIC_ONE_CLICK_PATH = '/member-emails/one-click'
const ACCOUNT_EMAILS = '/auth/account/emails'

/** Emails to members go to the people on their list, fixed when sending begins. */
export function createMemberMailing(
  { clock, secrets, settings, siteUrl, association, cache }: AppContext,
  { audiences }: { audiences: MemberAudiences },
): MailingList {
  async function topicOf(db: Db, campaignId: string): Promise<MemberEmailTopic> {
    const email = await findMemberEmail(db, campaignId)
    if (!email) throw new Error(`The campaign ${campaignId} is not an email to members.`)
    return email.topic
  }

  /** A notice cannot be unsubscribed from, so it has no link. */
  function footerFor(topic: MemberEmailTopic): EmailBlock[] {
    if (topic === NOTICE)
      return [
        { kind: 'note', text: 'You receive this notice because you are a member. Notices cannot be switched off.' },
      ]
    const { name, isOffer } = findTopic(cache.content().emailTopics, topic) ?? { name: topic, isOffer: false }
    const lead = isOffer
      ? words`This is an advertisement. You receive it because you switched “${{ topic: name }}” on.`
      : words`You receive this email because you are a member. Its topic is “${{ topic: name }}”.`
    return [
      { kind: 'link', lead, label: 'Unsubscribe', url: UNSUBSCRIBE_PLACEHOLDER },
      {
        kind: 'link',
        lead: 'You can choose what we send you.',
        label: 'Email settings',
        url: `${siteUrl}${ACCOUNT_EMAILS}`,
      },
    ]
  }

  return {
    async createDeliveries(tx, campaignId, now) {
      const email = await findMemberEmail(tx, campaignId)
      const campaign = await findCampaign(tx, campaignId)
      if (!email || !campaign) throw new Error(`The campaign ${campaignId} is not an email to members.`)
      const members = await audiences.list(tx, email.topic, email.audience)
      const copies = members.filter(({ way }) => way === 'email').length
      const byPost = members.filter(({ way }) => way === 'post').length
      await insertRecipients(tx, campaignId, members, now)
      const content = campaignEmail(campaign, {
        siteUrl,
        association: await association(),
        footer: footerFor(email.topic),
      })
      await updateMemberEmail(tx, {
        campaignId,
        htmlDigest: sha256(content.html),
        textDigest: sha256(content.text),
      })
      return { copies, isEmpty: copies + byPost === 0 }
    },

    async listAllowed(db, campaignId, deliveries) {
      const topic = await topicOf(db, campaignId)
      const ids = deliveries.map(({ recipientId }) => recipientId)
      if (ids.length === 0) return new Set()
      const [accounts, isWanted, blocked] = await Promise.all([
        db
          .selectFrom('account')
          .select(['id', 'email'])
          .where('id', 'in', ids)
          .where('deactivatedBy', 'is', null)
          .execute(),
        wantsTopic(db, { key: topic, own: cache.content().emailTopics }, ids),
        listBlockedAddresses(
          db,
          deliveries.map(({ email }) => addressHash(secrets, email)),
        ),
      ])
      const addresses = new Map(accounts.map(({ id, email }) => [id, email]))
      return new Set(
        deliveries
          .filter(
            ({ recipientId, email }) =>
              isWanted(recipientId) &&
              addresses.get(recipientId) === email &&
              !blocked.has(addressHash(secrets, email)),
          )
          .map(({ id }) => id),
      )
    },

    unsubscribePage: ACCOUNT_EMAILS,

    skippedReason: 'unsubscribed, changed the address or left before it was sent',

    footer: async (db, { id }) => footerFor(await topicOf(db, id)),

    async personalize(db, { id }) {
      const topic = await topicOf(db, id)
      if (topic === NOTICE) return () => ({ unsubscribeUrl: null, headers: {} })
      const { name } = await association()
      const listName = name.replaceAll(/[^\w .-]/g, '')
      const listId = `${listName} <${topic}.members.${new URL(siteUrl).hostname}>`
      return (accountId) => {
        const token = createTopicToken(secrets, accountId, topic)
        return {
          unsubscribeUrl: secretLink(siteUrl, '/member-emails/unsubscribe', { token }),
          headers: {
            ...oneClickHeaders(`${siteUrl}${TOPIC_ONE_CLICK_PATH}?${new URLSearchParams({ token })}`),
            'List-Id': listId,
            Precedence: 'bulk',
          },
        }
      }
    },

    /** A complaint blocks the address at once, bounces after as many as the newsletter allows. */
    async recordBounce(tx, accountId, kind) {
      const account = await findAccount(tx, accountId)
      if (!account) return
      const { hardBounces, softBounces } = settings().newsletter
      if (kind !== 'complaint') {
        const limit = kind === 'hard' ? hardBounces : softBounces
        if ((await countBouncedCopies(tx, accountId, account.email)) < limit) return
      }
      const reason = kind === 'complaint' ? 'complaint' : 'bounce'
      await suppress(tx, addressHash(secrets, account.email), reason, clock.now())
    },
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
