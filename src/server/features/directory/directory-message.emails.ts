import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import type { AppContext } from '#server/app-context.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email, type EmailBlock } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { words } from '#server/emails/words.rules.ts'
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
export function fixedParagraphs(text: string): EmailBlock[] {
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

/** To the officers: a message that its recipient reported. */
function reportedMessageEmail(
  { sender, recipient, subject, text, url }: Record<'sender' | 'recipient' | 'subject' | 'text' | 'url', string>,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'A member reported a message',
      preview: words`${{ recipient }} reported a message of ${{ sender }}.`,
      heading: 'A member reported a message',
      blocks: [
        {
          kind: 'details',
          details: [
            ['From', sender],
            ['To', recipient],
            ['Subject', subject],
          ],
        },
        ...fixedParagraphs(text),
        { kind: 'button', label: 'Open the sender', url },
      ],
    },
    association,
  )
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
    const nameOf = async (accountId: string) => {
      const account = await findAccount(db, accountId)
      return account ? `${account.firstName} ${account.lastName}` : 'A deleted account'
    }
    const content = {
      sender: await nameOf(message.fromAccountId),
      recipient: await nameOf(message.toAccountId),
      subject: message.subject,
      text: message.text,
      url: `${siteUrl}/console/members/${message.fromAccountId}`,
    }
    return { ...reportedMessageEmail(content, await association()), to: config.officersEmail }
  },
})
