import type { AppContext } from '#server/app-context.ts'
import {
  NOTICE,
  type MemberAudience,
  type MemberEmailDetail,
  type MemberEmailTopic,
  type controlMemberEmail,
  type createMemberEmail,
  type listEmailsToMembers,
  type listMemberEmailTopics,
  type saveMemberEmail,
  type sendMemberEmail,
} from '#contract/console/emails/member-emails.ts'
import { fieldsInUse } from '#contract/member-record/record-fields.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import type { CampaignEditor } from '#server/features/newsletter/composing/campaign-editor.service.ts'
import type { SendingService } from '#server/features/newsletter/sending/sending.service.ts'
import { levelsByKey } from '#server/features/levels/level.queries.ts'
import { topicsInUse } from '#server/features/email-topics/email-topics.rules.ts'
import { audienceText } from './audience-text.rules.ts'
import type { MemberAudiences } from './audience.service.ts'
import { findMemberEmail, type MemberEmail } from './member-email.queries.ts'
import { insertMemberEmail, listReach, updateMemberEmail } from './member-email.repository.ts'
import { isInWindow, windowOf } from './notice-window.rules.ts'
import type { PostPile } from './post-pile.service.ts'
import { findProof } from './proof.repository.ts'
import { countReach } from './reach.rules.ts'
import { topicName } from './topic-name.rules.ts'

/** Filters of the list of members that do not tell who is on it, for officers who may not see members. */
const OPEN_FILTERS = new Set(['status', 'level'])

/** Emails to members in the console. Methods on one throw Problem NOT_FOUND, and CHANGED_MEANWHILE on a version conflict. */
export function createMemberEmailService(
  { db, timeZone, settings, cache }: AppContext,
  {
    editor,
    sending,
    audiences,
    postPile,
  }: {
    editor: CampaignEditor
    sending: SendingService
    audiences: MemberAudiences
    postPile: Pick<PostPile, 'count'>
  },
) {
  async function requireEmail(id: string): Promise<MemberEmail> {
    const email = await findMemberEmail(db, id)
    if (!email) throw new Problem('NOT_FOUND')
    return email
  }

  /** @throws Problem NOT_ALLOWED for a notice, if the officer may not send notices */
  function requireMayWrite(by: Officer, topic: MemberEmailTopic): void {
    if (topic === NOTICE && !by.permissions.includes('members.notify')) throw new Problem('NOT_ALLOWED')
  }

  /** @throws Problem INVALID_INPUT */
  function requireInUse(topic: MemberEmailTopic): void {
    const isKnown = topic === NOTICE || topicsInUse(cache.content().emailTopics).some(({ key }) => key === topic)
    if (!isKnown) throw new Problem('INVALID_INPUT', { fields: { topic: 'Please choose a kind of email' } })
  }

  /** @throws Problem NOT_ALLOWED for a list that would tell an officer who may not see members who is on it */
  function requireMayChoose(by: Officer, audience: MemberAudience): void {
    if (by.permissions.includes('members.look')) return
    const isOpen = 'filter' in audience && Object.keys(audience.filter).every((filter) => OPEN_FILTERS.has(filter))
    if (!isOpen) throw new Problem('NOT_ALLOWED')
  }

  async function read(by: Officer, id: string): Promise<MemberEmailDetail> {
    const [detail, email] = [await editor.read(id), await requireEmail(id)]
    const { topic, audience, meetingOn, meetingKind, windowReason } = email
    const isSent = detail.mailing !== null
    const [levels, reached, proof] = await Promise.all([
      levelsByKey(db),
      isSent ? listReach(db, id) : audiences.count(db, topic, audience),
      findProof(db, id),
    ])
    return {
      ...detail,
      topic,
      topicName: topicName(cache.content().emailTopics, topic),
      audience,
      audienceText: audienceText(audience, {
        levels: new Map([...levels].map(([key, { name }]) => [key, name])),
        fields: new Map(fieldsInUse(cache.content().recordFields).map(({ key, label }) => [key, label])),
      }),
      meetingOn,
      meetingKind,
      windowReason,
      window: windowOf(email, settings().notices),
      reach: countReach(reached),
      post: isSent && topic === NOTICE ? await postPile.count(id) : null,
      sealedAt: proof && new Date(proof.sealedAt).toISOString(),
      mayNotify: by.permissions.includes('members.notify'),
    }
  }

  return {
    read,
    preview: editor.preview,
    sendTest: editor.sendTest,

    async list(query: QueryOf<typeof listEmailsToMembers>): Promise<ReplyOf<typeof listEmailsToMembers>> {
      const { newsletters, ...found } = await editor.list(query)
      return { emails: newsletters, ...found }
    },

    topics(by: Officer): ReplyOf<typeof listMemberEmailTopics> {
      const own = cache.content().emailTopics
      const keys = topicsInUse(own).map(({ key }) => key)
      const allowed = by.permissions.includes('members.notify') ? [NOTICE, ...keys] : keys
      return { topics: allowed.map((key) => ({ key, name: topicName(own, key) })) }
    },

    /** @throws Problem INVALID_INPUT for a topic that is not in use, NOT_ALLOWED as in `requireMayWrite` and `requireMayChoose` */
    async create(by: Officer, { name, topic, audience }: BodyOf<typeof createMemberEmail>): Promise<MemberEmailDetail> {
      requireInUse(topic)
      requireMayWrite(by, topic)
      requireMayChoose(by, audience)
      const id = await editor.create(by, name, (tx, campaignId) =>
        insertMemberEmail(tx, { campaignId, topic, audience }),
      )
      return read(by, id)
    },

    /** @throws Problem NEWSLETTER_FIXED when it was sent or is scheduled, NOT_ALLOWED as in `create` */
    async save(by: Officer, id: string, body: BodyOf<typeof saveMemberEmail>): Promise<MemberEmailDetail> {
      const { topic, audience, meetingOn, meetingKind, windowReason, ...content } = body
      await editor.requireEditable(id, body.version)
      const before = await requireEmail(id)
      requireMayWrite(by, before.topic)
      requireMayWrite(by, topic)
      if (topic !== before.topic) requireInUse(topic)
      if (JSON.stringify(audience) !== JSON.stringify(before.audience)) requireMayChoose(by, audience)
      await editor.save(by, id, content, (tx) =>
        updateMemberEmail(tx, { campaignId: id, topic, audience, meetingOn, meetingKind, windowReason }),
      )
      return read(by, id)
    },

    /** @throws Problem NOT_ALLOWED as in `create`, NOTICE_OUTSIDE_WINDOW without a written reason, NO_RECIPIENTS, NEWSLETTER_FIXED */
    async send(by: Officer, id: string, wish: BodyOf<typeof sendMemberEmail>): Promise<MemberEmailDetail> {
      await editor.requireEditable(id, wish.version)
      const email = await requireEmail(id)
      requireMayWrite(by, email.topic)
      const window = windowOf(email, settings().notices)
      const day = dayOf(sending.dueAt(wish.at), timeZone)
      if (window && email.windowReason === null && !isInWindow(day, window)) throw new Problem('NOTICE_OUTSIDE_WINDOW')
      await sending.send(by, id, wish)
      return read(by, id)
    },

    /** @throws Problem NOT_ALLOWED as in `create` */
    async control(by: Officer, id: string, { wish }: BodyOf<typeof controlMemberEmail>): Promise<MemberEmailDetail> {
      requireMayWrite(by, (await requireEmail(id)).topic)
      await sending.applyAction(by, id, wish)
      return read(by, id)
    },
  }
}

export type MemberEmailService = ReturnType<typeof createMemberEmailService>
