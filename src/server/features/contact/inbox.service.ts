import type { Kysely } from 'kysely'
import { permissionsOf } from '#contract/access.ts'
import type { Association } from '#contract/association.ts'
import {
  inboxLimits,
  inboxSentences,
  type listMessages,
  type MessageDetail,
  type MessageEntry,
  type MessageState,
} from '#contract/console-messages.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { AuditAction } from '#server/platform/audit-actions.rules.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { OfficerService } from '../console/officer.service.ts'
import { answerLetter } from './answer.emails.ts'
import { answerDue, hoursLeft } from './contact.rules.ts'
import {
  addAnswer,
  changeMessage,
  countMessages,
  findAnswer,
  findInboxMessage,
  findMessagePage,
  listAnswers,
  markAnswerMailed,
  type InboxMessage,
} from './inbox.repository.ts'

interface Which {
  id: string
  /** As the officer saw it. */
  version: number
}

/** Every change throws Problem NOT_FOUND, or CHANGED_MEANWHILE when the officer saw an older version. The history never says what was written. */
export interface InboxService {
  page(asked: { state: MessageState; q?: string | undefined; page: number }): Promise<ReplyOf<typeof listMessages>>
  read(id: string): Promise<MessageDetail>
  /** @throws Problem INVALID_INPUT for somebody who may not answer */
  assign(by: Officer, which: Which, accountId: string | null): Promise<void>
  /** Keeps the answer and lets it be mailed. @throws Problem MESSAGE_IS_SPAM */
  answer(by: Officer, which: Which, text: string): Promise<void>
  move(by: Officer, which: Which, state: MessageState): Promise<void>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
}

export function createInboxService({
  db,
  clock,
  timeZone,
  officers,
  association,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  officers: Pick<OfficerService, 'list'>
  association(): Promise<Association>
  wakeOutbox(): void
}): InboxService {
  /** Who may answer today, each once. */
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

  /** Changes what was looked at, and writes both down, without the message's words. */
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
      const told = (message: InboxMessage | null) =>
        message && { state: message.state, assignee: message.assigneeName ?? message.assignedTo }
      const details = { before: told(before), after: told(after) }
      await writeAudit(tx, { actor: by.accountId, action, subjectId: which.id, details }, now)
    })
  }

  return {
    async page({ state, q, page }) {
      const { pageSize } = inboxLimits
      const asked = { state, words: q?.trim() ?? '', offset: (page - 1) * pageSize, limit: pageSize + 1 }
      const [found, counts] = await Promise.all([findMessagePage(db, asked), countMessages(db)])
      return {
        messages: found.slice(0, pageSize).map((message) => toEntry(message, clock.now())),
        counts,
        hasMore: found.length > pageSize,
      }
    },

    async read(id) {
      const message = await findInboxMessage(db, id)
      if (!message) throw new Problem('NOT_FOUND')
      const answers = await listAnswers(db, id)
      return {
        ...toEntry(message, clock.now()),
        message: message.message,
        answers: answers.map(({ id: answerId, text, by, sentAt, mailedAt }) => ({
          id: answerId,
          text,
          by: by ?? 'An officer',
          sentAt: written(sentAt),
          mailedAt: mailedAt === null ? null : written(mailedAt),
        })),
        officers: await listAnswerers(),
        version: message.version,
      }
    },

    async assign(by, which, accountId) {
      const mayAnswer = accountId === null || (await listAnswerers()).some((person) => person.accountId === accountId)
      if (!mayAnswer) throw fieldProblem('accountId', inboxSentences.officer)
      await change(by, which, 'message.assigned', async () => ({ assigned_to: accountId }))
    },

    async answer(by, which, text) {
      await change(by, which, 'message.answered', async (tx, message, now) => {
        if (message.state === 'spam') throw new Problem('MESSAGE_IS_SPAM')
        const id = newId(now)
        await addAnswer(tx, { id, messageId: message.id, text, sentBy: by.accountId, now })
        await addToOutbox(tx, { kind: 'letter.message_answer', payload: { id } }, now)
        return { answered_at: now, assigned_to: message.assignedTo ?? by.accountId }
      })
      wakeOutbox()
    },

    move: (by, which, state) =>
      change(by, which, `message.${ACTIONS[state]}`, async (_tx, { answeredAt }, now) => ({
        answered_at: state === 'answered' ? (answeredAt ?? now) : null,
        spam_at: state === 'spam' ? now : null,
      })),

    letters: {
      async 'letter.message_answer'({ id }) {
        const answer = await findAnswer(db, String(id))
        const message = answer && (await findInboxMessage(db, answer.messageId))
        // Called spam before the letter went out.
        if (!message || message.state === 'spam') return null
        const us = await association()
        return {
          ...answerLetter({ message, answer, timeZone }, us),
          to: message.email,
          replyTo: us.email,
          onSent: () => markAnswerMailed(db, answer.id, clock.now()),
        }
      },
    },
  }
}

const ACTIONS = { open: 'reopened', answered: 'settled', spam: 'called-spam' } as const satisfies Record<
  MessageState,
  string
>

const written = (instant: number) => new Date(instant).toISOString()

function toEntry({ id, name, email, subject, state, receivedAt, ...message }: InboxMessage, now: number): MessageEntry {
  const { answeredAt, assignedTo, assigneeName } = message
  return {
    id,
    name,
    email,
    subject,
    state,
    receivedAt: written(receivedAt),
    dueAt: written(answerDue(receivedAt)),
    hoursLeft: hoursLeft(receivedAt, now),
    answeredAt: answeredAt === null ? null : written(answeredAt),
    assignee: assignedTo === null ? null : { accountId: assignedTo, name: assigneeName ?? 'Somebody who is gone' },
  }
}
