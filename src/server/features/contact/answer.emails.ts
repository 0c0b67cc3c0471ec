import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { html } from '#server/emails/html.ts'
import { emailStyle, renderEmail, type EmailBlock, type Email, type EmailStyle } from '#server/emails/email.ts'
import type { InboxMessage, MessageAnswer } from './inbox.repository.ts'
import { SAMPLE_TIME, SAMPLE_TIME_ZONE } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/lib/clock.ts'
import { markAnswerSent } from './contact-message.commands.ts'
import { findAnswer, findInboxMessage } from './inbox.repository.ts'

/** To the sender of a message: the officer's answer, then the original message. */
function answerEmail(
  {
    message,
    answer,
    timeZone,
  }: {
    message: Pick<InboxMessage, 'subject' | 'message' | 'receivedAt'>
    answer: Pick<MessageAnswer, 'text' | 'by'>
    timeZone: string
  },
  association: Association,
): Email {
  const [firstLine = ''] = answer.text.split('\n')
  return renderEmail(
    {
      subject: `Re: ${message.subject.replace(/^(re:\s*)+/i, '')}`,
      preview: firstLine,
      heading: 'Our answer',
      blocks: [
        ...paragraphsOf(answer.text),
        { kind: 'text', text: `${answer.by ?? 'An officer'}, ${association.name}` },
        { kind: 'note', text: `On ${formatMoment(message.receivedAt, timeZone)} you wrote:` },
        quote(message.message, emailStyle(association)),
      ],
    },
    association,
  )
}

function paragraphsOf(text: string): EmailBlock[] {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => {
      const lines = paragraph.split('\n')
      const markup = lines.map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
      return { kind: 'words', html: html`<p style="margin:8px 0 0">${markup}</p>`, text: paragraph }
    })
}

function quote(text: string, { colors }: EmailStyle): EmailBlock {
  const lines = text.split('\n')
  const markup = lines.map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
  return {
    kind: 'words',
    html: html`<blockquote style="margin:8px 0 0;padding:2px 0 2px 18px;border-left:4px solid ${colors.action}">
      ${markup}
    </blockquote>`,
    text: lines.map((line) => `> ${line}`.trimEnd()).join('\n'),
  }
}

export const sendMessageReply = defineEmail({
  kind: 'email.message_reply',
  name: 'Message reply',
  isFixed: true,
  samples: (name, association) => ({
    'message reply': answerEmail(
      {
        message: { subject: name, message: name, receivedAt: SAMPLE_TIME },
        answer: { text: `${name}\n\n${name}`, by: name },
        timeZone: SAMPLE_TIME_ZONE,
      },
      association,
    ),
  }),
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  purpose: 'reply',
  async compose(
    { id },
    {
      db,
      clock,
      timeZone,
      association,
    }: { db: Db; clock: Clock; timeZone: string; association(): Promise<Association> },
  ) {
    const answer = await findAnswer(db, id)
    const message = answer && (await findInboxMessage(db, answer.messageId))
    // Marked as spam before the email was sent.
    if (!message || message.spamAt !== null) return null
    const sender = await association()
    return {
      ...answerEmail({ message, answer, timeZone }, sender),
      to: message.email,
      replyTo: sender.email,
      onSent: () => markAnswerSent(db, answer.id, clock.now()),
    }
  },
})
