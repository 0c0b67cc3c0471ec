import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import type { AppContext } from '#server/app-context.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { Email } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { words } from '#server/emails/words.rules.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { officersMessageEmail, type OfficersMessageContent } from '../directory-message.emails.ts'
import { findMessage } from '../directory-message.repository.ts'
import { findPlantedEntry } from './planted-entry.repository.ts'

const NOTE =
  'This person does not exist: the entry is in the directory so that copies of it are recognized. The sender believes that the message was sent. It may be meant well, so please answer that this person cannot be reached.'

/** A member wrote to an invented person. */
function plantedMessageEmail(content: OfficersMessageContent, association: Association): Email {
  const { sender, recipient: entry } = content
  return officersMessageEmail(
    content,
    {
      subject: words`Planted entry: message for ${{ entry }}`,
      preview: words`${{ sender }} wrote to the planted entry ${{ entry }}.`,
      heading: 'Message for a planted entry',
      note: NOTE,
    },
    association,
  )
}

export const sendPlantedMessage = defineEmail({
  kind: 'email.planted_message',
  name: 'Message for a planted entry',
  samples: (name, association) => ({
    'message for a planted entry': plantedMessageEmail(
      { sender: name, recipient: name, subject: name, text: `${name}\n${name}`, url: SAMPLE_URL },
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
      recipient: `${entry.firstName} ${entry.lastName}`,
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
