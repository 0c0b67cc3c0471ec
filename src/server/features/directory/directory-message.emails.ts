import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import type { AppContext } from '#server/app-context.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { Db } from '#server/db/database.ts'
import { renderEmail, type Email, type EmailBlock } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { words, type EmailText } from '#server/emails/words.rules.ts'
import { findListing } from './directory-listing.queries.ts'
import { findMessage } from './directory-message.repository.ts'

interface MessageContent {
  /** First and last name of the sender. */
  name: string
  subject: string
  text: string
  showsAddress: boolean
  /** Opens the page where it is reported, and the one where messages are switched off. */
  reportUrl: string
  settingsUrl: string
}

/** A text that someone wrote, line by line. */
function fixedParagraphs(text: string): EmailBlock[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): EmailBlock => ({ kind: 'text', text: line, isFixed: true }))
}

/** To a member, from another one. Neither sees the other's address, unless the sender chose to show it. */
function directoryMessageEmail(content: MessageContent, association: Association): Email {
  const { name, subject, text, showsAddress, reportUrl, settingsUrl } = content
  return renderEmail(
    {
      subject: words`${{ name }}: ${{ subject }}`,
      preview: words`A message from ${{ name }} through the directory of members.`,
      heading: 'A message from a member',
      blocks: [
        {
          kind: 'details',
          details: [
            ['From', name],
            ['Subject', subject],
          ],
        },
        ...fixedParagraphs(text),
        {
          kind: 'note',
          text: showsAddress
            ? words`Your address was not shown to ${{ name }}. If you reply to this email, your reply goes to ${{ name }} and shows it.`
            : words`${{ name }} did not share an address. You can answer through the entry in the directory of members.`,
        },
        { kind: 'link', lead: 'Is something wrong with this message?', label: 'Report this message', url: reportUrl },
        {
          kind: 'link',
          lead: 'You can stop such messages at any time.',
          label: 'Directory settings',
          url: settingsUrl,
        },
      ],
    },
    association,
  )
}

export interface OfficersMessageContent {
  sender: string
  recipient: string
  subject: string
  text: string
  /** Opens the sender. */
  url: string
}

/** To the officers: a message between members, and why they get it. */
export function officersMessageEmail(
  { sender, recipient, subject: messageSubject, text, url }: OfficersMessageContent,
  { subject, preview, heading, note }: { subject: EmailText; preview: EmailText; heading: string; note?: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject,
      preview,
      heading,
      blocks: [
        {
          kind: 'details',
          details: [
            ['From', sender],
            ['To', recipient],
            ['Subject', messageSubject],
          ],
        },
        ...fixedParagraphs(text),
        ...(note ? [{ kind: 'note', text: note } as const] : []),
        { kind: 'button', label: 'Open the sender', url },
      ],
    },
    association,
  )
}

function reportedMessageEmail(content: OfficersMessageContent, association: Association): Email {
  const heading = 'A member reported a message'
  const preview = words`${{ recipient: content.recipient }} reported a message of ${{ sender: content.sender }}.`
  return officersMessageEmail(content, { subject: heading, preview, heading }, association)
}

export const sendDirectoryMessageEmail = defineEmail({
  kind: 'email.directory_message',
  name: 'Message from a member',
  samples(name, association) {
    const content = { name, subject: name, text: `${name}\n${name}`, reportUrl: SAMPLE_URL, settingsUrl: SAMPLE_URL }
    return {
      'with the address of the sender': directoryMessageEmail({ ...content, showsAddress: true }, association),
      'without an address': directoryMessageEmail({ ...content, showsAddress: false }, association),
    }
  },
  payload: z.object({ id: z.string(), accountId: z.string() }),
  subject: 'accountId',
  priority: 'personal',
  /** null if one of the two left, or the recipient switched messages off, since it was sent. */
  async compose({ id, accountId }, { db, siteUrl, association }: AppContext) {
    const message = await findMessage(db, id)
    const sender = message && (await findAccount(db, message.fromAccountId))
    const recipient = await findAccount(db, accountId)
    const listing = await findListing(db, accountId)
    if (!message || !sender || !recipient || sender.deactivatedBy !== null || recipient.deactivatedBy !== null)
      return null
    if (!listing || listing.inMembers === 0 || listing.takesMessages === 0) return null
    const showsAddress = message.showsAddress === 1
    const content = {
      name: `${sender.firstName} ${sender.lastName}`,
      subject: message.subject,
      text: message.text,
      showsAddress,
      reportUrl: `${siteUrl}/auth/account/directory?report=${id}`,
      settingsUrl: `${siteUrl}/auth/account/profile`,
    }
    return {
      ...directoryMessageEmail(content, await association()),
      to: recipient.email,
      ...(showsAddress && { replyTo: sender.email }),
    }
  },
})

export const sendReportedMessage = defineEmail({
  kind: 'email.directory_message_reported',
  name: 'Reported message',
  samples: (name, association) => ({
    'reported message': reportedMessageEmail(
      { sender: name, recipient: name, subject: name, text: `${name}\n${name}`, url: SAMPLE_URL },
      association,
    ),
  }),
  payload: z.object({ id: z.string() }),
  subject: null,
  priority: 'personal',
  async compose({ id }, { db, config, siteUrl, association }: AppContext) {
    const message = await findMessage(db, id)
    if (!message) return null
    const content = {
      sender: await personOf(db, message.fromAccountId),
      recipient: await personOf(db, message.toAccountId),
      subject: message.subject,
      text: message.text,
      url: `${siteUrl}/console/members/${message.fromAccountId}`,
    }
    return { ...reportedMessageEmail(content, await association()), to: config.officersEmail }
  },
})

async function personOf(db: Db, accountId: string): Promise<string> {
  const account = await findAccount(db, accountId)
  return account ? `${account.firstName} ${account.lastName}` : 'A deleted account'
}
