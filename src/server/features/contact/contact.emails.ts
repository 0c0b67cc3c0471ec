import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import type { ContactMessage } from './contact-message.queries.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { findMessage } from './contact-message.repository.ts'

/** To the officers: the whole message. A reply goes to the sender. */
function contactMessageEmail(
  { id, name, email, subject, message }: Pick<ContactMessage, 'id' | 'name' | 'email' | 'subject' | 'message'>,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: words`Message from the website: ${{ subject: shortened(subject) }}`,
      preview: words`${{ name }} wrote to us. Reply to this email to answer.`,
      heading: 'New message from the website',
      blocks: [
        {
          kind: 'details',
          details: [
            ['From', name],
            ['Email', email],
            ['Subject', subject],
          ],
        },
        ...message
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => ({ kind: 'text' as const, text: line, isFixed: true as const })),
        {
          kind: 'note',
          text: words`Reply to this email to answer ${{ name }}; the website promises an answer within ${{ replyTime: association.replyTime }}. Then run "npm run admin -- messages answered ${{ id }}" to remove it from the list of open messages.`,
        },
      ],
    },
    association,
  )
}

/** To the address given, without the message: the address may belong to someone else. */
function acknowledgementEmail(association: Association): Email {
  const { replyTime, caution } = association
  return renderEmail(
    {
      subject: 'We received your message',
      preview: words`A person will read it and reply within ${{ replyTime }}.`,
      heading: 'Thank you for writing',
      blocks: [
        {
          kind: 'text',
          text: words`Your message has arrived. A person will read it and reply within ${{ replyTime }}.`,
        },
        ...(caution.title ? [{ kind: 'text' as const, text: cautionText(caution), isFixed: true as const }] : []),
        {
          kind: 'note',
          text: 'If you didn’t send us a message, someone entered your address by mistake; there is nothing to do.',
        },
      ],
    },
    association,
  )
}

function cautionText({ text, emergencyNumber }: Association['caution']): string {
  return [text, emergencyNumber && `In an emergency, call ${emergencyNumber}.`].filter(Boolean).join(' ')
}

const LONGEST = 50

/** Shortens a subject line to a length that mail clients show in full. */
function shortened(subject: string): string {
  return subject.length > LONGEST ? `${subject.slice(0, LONGEST - 1).trimEnd()}…` : subject
}

/** To the officers. */
export const sendContactMessage = defineEmail({
  kind: 'email.contact_message',
  name: 'Contact message',
  samples: (name, association) => ({
    'to the officers': contactMessageEmail(
      { id: '1', name, email: 'a@b.example', subject: name, message: `${name}\n${name}` },
      association,
    ),
  }),
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  async compose({ id }, { db, config, association }: AppContext) {
    const message = await findMessage(db, id)
    if (!message) return null
    return { ...contactMessageEmail(message, await association()), to: config.officersEmail, replyTo: message.email }
  },
})

export const sendContactReceived = defineEmail({
  kind: 'email.contact_received',
  name: 'Contact received',
  samples: (_name, association) => ({ acknowledgement: acknowledgementEmail(association) }),
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  purpose: 'reply',
  async compose({ id }, { db, association }: AppContext) {
    const message = await findMessage(db, id)
    return message && { ...acknowledgementEmail(await association()), to: message.email }
  },
})
