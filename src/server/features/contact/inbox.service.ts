import type { AppContext } from '#server/app-context.ts'
import type { Kysely } from 'kysely'
import { permissionsOf } from '#contract/access.ts'
import {
  inboxLimits,
  inboxMessages,
  type listMessages,
  type MessageDetail,
  type MessageEntry,
  type MessageState,
} from '#contract/console/messages.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { isAddressOfDeceased } from '#server/features/person-state/person-state.queries.ts'
import type { OfficerService } from '#server/features/officers/officer.service.ts'
import { answerDueAt, hoursLeft } from './contact.rules.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { addAnswer, addNote, changeMessage } from './contact-message.commands.ts'
import {
  countMessages,
  findInboxMessage,
  findMessagePage,
  listAnswers,
  listNotes,
  messageState,
  type InboxMessage,
} from './inbox.repository.ts'

import { sendMessageReply } from './answer.emails.ts'

const EXCERPT_LENGTH = 140
const ADDRESS_OF_DECEASED =
  'This address belongs to a member who died, so no email goes to it. Answer by phone or by post.'

interface Which {
  id: string
  /** The version the officer saw. */
  version: number
}

/**
 * Every change throws Problem NOT_FOUND, or CHANGED_MEANWHILE if the officer saw an older version. The audit log never
 * contains the text of a message.
 */
export function createInboxService(
  { db, clock, wakeOutbox }: AppContext,
  {
    officers,
  }: {
    officers: Pick<OfficerService, 'list'>
  },
) {
  /** Returns the officers who may answer messages today, once each. */
  async function listAnswerers(): Promise<{ accountId: string; name: string }[]> {
    const terms = (await officers.list()).filter(
      ({ state, role }) => state === 'now' && permissionsOf([role]).includes('messages.answer'),
    )
    return [...new Map(terms.map(({ accountId, name }) => [accountId, { accountId, name }])).values()]
  }

  async function require(tx: Kysely<Schema>, { id, version }: Which): Promise<InboxMessage> {
    const message = await findInboxMessage(tx, id)
    if (!message) throw new Problem('NOT_FOUND')
    if (message.version !== version) throw new Problem('CHANGED_MEANWHILE')
    return message
  }

  /** Applies a change to the version the officer saw, and audits it without the text of the message. */
  async function change(
    by: Officer,
    which: Which,
    action: AuditAction,
    plan: (tx: Kysely<Schema>, message: InboxMessage, now: number) => Promise<Parameters<typeof changeMessage>[2]>,
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const before = await require(tx, which)
      if (!(await changeMessage(tx, which, await plan(tx, before, now)))) throw new Problem('CHANGED_MEANWHILE')
      const after = await findInboxMessage(tx, which.id)
      const summarize = (message: InboxMessage | null) =>
        message && { state: messageState(message), assignee: message.assigneeName ?? message.assignedTo }
      const details = { before: summarize(before), after: summarize(after) }
      await writeAudit(tx, { actor: by.accountId, action, subjectId: which.id, details }, now)
    })
  }

  return {
    async page(
      { accountId }: Officer,
      { state, assignee, q, page }: QueryOf<typeof listMessages>,
    ): Promise<ReplyOf<typeof listMessages>> {
      const { pageSize } = inboxLimits
      const filter = {
        state,
        term: q?.trim() ?? '',
        offset: (page - 1) * pageSize,
        limit: pageSize + 1,
        ...(assignee !== undefined && { assignee: assignee === 'me' ? accountId : null }),
      }
      const [found, counts] = await Promise.all([findMessagePage(db, filter), countMessages(db, accountId)])
      return {
        messages: found.slice(0, pageSize).map((message) => toEntry(message, clock.now())),
        counts,
        hasMore: found.length > pageSize,
      }
    },

    /** The first messages that contain the text, open ones first; never spam. */
    async search(text: string, limit: number): Promise<InboxMessage[]> {
      const find = (state: MessageState) => findMessagePage(db, { state, term: text, offset: 0, limit })
      return [...(await find('open')), ...(await find('answered'))].slice(0, limit)
    },

    async read(id: string): Promise<MessageDetail> {
      const message = await findInboxMessage(db, id)
      if (!message) throw new Problem('NOT_FOUND')
      const [answers, notes, member] = await Promise.all([
        listAnswers(db, id),
        listNotes(db, id),
        findAccountByEmail(db, message.email),
      ])
      return {
        ...toEntry(message, clock.now()),
        message: message.message,
        answers: answers.map(({ id: answerId, text, by, sentAt, mailedAt }) => ({
          id: answerId,
          text,
          by: by ?? 'An officer',
          sentAt: toIso(sentAt),
          mailedAt: mailedAt === null ? null : toIso(mailedAt),
        })),
        notes: notes.map(({ writtenAt, by, ...note }) => ({ ...note, by: by ?? 'An officer', at: toIso(writtenAt) })),
        memberId: member?.id ?? null,
        officers: await listAnswerers(),
        version: message.version,
      }
    },

    /** @throws Problem INVALID_INPUT if the officer may not answer messages */
    async assign(by: Officer, which: Which, accountId: string | null): Promise<void> {
      const mayAnswer = accountId === null || (await listAnswerers()).some((person) => person.accountId === accountId)
      if (!mayAnswer) throw fieldProblem('accountId', inboxMessages.officer)
      await change(by, which, 'message.assigned', async () => ({ assignedTo: accountId }))
    },

    /** Stores the answer and queues its email. @throws Problem MESSAGE_IS_SPAM */
    async answer(by: Officer, which: Which, text: string): Promise<void> {
      await change(by, which, 'message.answered', async (tx, message, now) => {
        if (message.spamAt !== null) throw new Problem('MESSAGE_IS_SPAM')
        if (await isAddressOfDeceased(tx, nameKey(message.email)))
          throw new Problem('ACCOUNT_CLOSED', { message: ADDRESS_OF_DECEASED })
        const id = newId(now)
        await addAnswer(tx, { id, messageId: message.id, text, sentBy: by.accountId, now })
        await addToOutbox(tx, { effect: sendMessageReply, payload: { id } }, now)
        return { answeredAt: now, assignedTo: message.assignedTo ?? by.accountId }
      })
      wakeOutbox()
    },

    /** Notes of several officers do not get in each other's way, so they need no version. */
    async addNote(by: Officer, id: string, text: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        if (!(await findInboxMessage(tx, id))) throw new Problem('NOT_FOUND')
        const now = clock.now()
        await addNote(tx, { id: newId(now), messageId: id, text, writtenBy: by.accountId, now })
        await writeAudit(tx, { actor: by.accountId, action: 'message.noted', subjectId: id }, now)
      })
    },

    move: (by: Officer, which: Which, state: MessageState): Promise<void> =>
      change(by, which, ACTIONS[state], async (_tx, { answeredAt }, now) => ({
        answeredAt: state === 'answered' ? (answeredAt ?? now) : null,
        spamAt: state === 'spam' ? now : null,
      })),
  }
}

export type InboxService = ReturnType<typeof createInboxService>

const ACTIONS = {
  open: 'message.reopened',
  answered: 'message.settled',
  spam: 'message.called-spam',
} as const satisfies Record<MessageState, string>

const toIso = (instant: number) => new Date(instant).toISOString()

function toEntry(message: InboxMessage, now: number): MessageEntry {
  const { id, name, email, subject, receivedAt, answeredAt, assignedTo, assigneeName } = message
  return {
    id,
    name,
    email,
    subject,
    state: messageState(message),
    receivedAt: toIso(receivedAt),
    dueAt: toIso(answerDueAt(receivedAt)),
    hoursLeft: hoursLeft(receivedAt, now),
    answeredAt: answeredAt === null ? null : toIso(answeredAt),
    excerpt: message.message.replaceAll(/\s+/g, ' ').slice(0, EXCERPT_LENGTH),
    assignee: assignedTo === null ? null : { accountId: assignedTo, name: assigneeName ?? 'A former officer' },
  }
}
