import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import type { AppContext } from '#server/app-context.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { words } from '#server/emails/words.rules.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { fixedParagraphs } from '../directory-message.emails.ts'
import { findMessage } from '../directory-message.repository.ts'
import { findPlantedEntry } from './planted-entry.repository.ts'

interface MessageContent {
  sender: string
  entry: string
  subject: string
  text: string
  /** Opens the sender. */
  url: string
}

/** To the officers: a member wrote to an invented person. */
function plantedMessageEmail({ sender, entry, subject, text, url }: MessageContent, association: Association): Email {
  return renderEmail(
    {
      subject: words`Planted entry: message for ${{ entry }}`,
      preview: words`${{ sender }} wrote to the planted entry ${{ entry }}.`,
      heading: 'Message for a planted entry',
      blocks: [
        {
          kind: 'details',
          details: [
            ['From', sender],
            ['To', entry],
            ['Subject', subject],
          ],
        },
        ...fixedParagraphs(text),
        {
          kind: 'note',
          text: 'This person does not exist: the entry is in the directory so that copies of it are recognized. The sender believes that the message was sent. It may be meant well, so please answer that this person cannot be reached.',
        },
        { kind: 'button', label: 'Open the sender', url },
      ],
    },
    association,
  )
}

export const sendPlantedMessage = defineEmail({
  kind: 'email.planted_message',
  name: 'Message for a planted entry',
  samples: (name, association) => ({
    'message for a planted entry': plantedMessageEmail(
      { sender: name, entry: name, subject: name, text: `${name}\n${name}`, url: SAMPLE_URL },
      association,
    ),
  }),
  payload: z.object({ id: z.string() }),
  subject: null,
  priority: 'personal',
  async compose({ id }, { db, config, siteUrl, association }: AppContext) {
    const message = await findMessage(db, id)
    const entry = message && (await findPlantedEntry(db, message.toAccountId))
    if (!message || !entry) return null
    const sender = await findAccount(db, message.fromAccountId)
    const content = {
      sender: sender ? `${sender.firstName} ${sender.lastName}` : 'A deleted account',
      entry: `${entry.firstName} ${entry.lastName}`,
      subject: message.subject,
      text: message.text,
      url: `${siteUrl}/console/members/${message.fromAccountId}`,
    }
    const email = plantedMessageEmail(content, await association())
    return {
      ...email,
      to: config.officersEmail,
      ...(sender && message.showsAddress === 1 && { replyTo: sender.email }),
    }
  },
})
