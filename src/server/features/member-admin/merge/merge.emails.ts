import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'

/** Sent to both addresses immediately, so an unwanted merge is noticed. */
function accountsMergedEmail(
  { firstName, keptAddress, mergedAddress }: { firstName: string; keptAddress: string; mergedAddress: string },
  loginUrl: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'Your two accounts were merged',
      preview: words`From now on you log in with ${{ keptAddress }}.`,
      heading: words`You now have one account, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: 'An officer of the association merged two accounts that seem to be yours. Both were signed out everywhere. Your address and password did not change:',
        },
        {
          kind: 'details',
          details: [
            ['Log in with', keptAddress],
            ['Closed', mergedAddress],
          ],
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        {
          kind: 'note',
          text: words`If these are not both your accounts, email ${{ associationEmail: association.email }} right away: the merge can be undone.`,
        },
      ],
    },
    association,
  )
}

/** Sent to both addresses after the merge was undone. */
function mergeUndoneEmail(
  { firstName, address, needsPassword }: { firstName: string; address: string; needsPassword: boolean },
  { loginUrl, resetUrl }: { loginUrl: string; resetUrl: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'Your account is separate again',
      preview: words`You log in with ${{ address }}.`,
      heading: words`Back as it was, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: words`An officer of the association undid the merge of two accounts. You log in with ${{ address }}. Both accounts were signed out everywhere.`,
        },
        needsPassword
          ? {
              kind: 'text',
              text: 'The password or second factor of this account changed after the merge. To make sure that only you can log in, please choose a new password:',
            }
          : { kind: 'text', text: 'Your password has not changed.' },
        needsPassword
          ? { kind: 'button', label: 'Choose a new password', url: resetUrl }
          : { kind: 'button', label: 'Log in', url: loginUrl },
        {
          kind: 'note',
          text: words`If you have a question about this, email ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

// Both are sent to the addresses of that time.
export const sendAccountsMerged = defineEmail({
  kind: 'email.accounts_merged',
  name: 'Accounts merged',
  samples: (firstName, association) => ({
    'accounts merged': accountsMergedEmail(
      { firstName, keptAddress: 'a@b.example', mergedAddress: 'c@d.example' },
      SAMPLE_URL,
      association,
    ),
  }),
  payload: z.object({ accountId: z.string(), to: z.string(), keptAddress: z.string(), mergedAddress: z.string() }),
  subject: 'accountId',
  recipient: 'to',
  priority: 'security',
  async compose({ accountId, to, ...addresses }, { db, siteUrl, association }: AppContext) {
    const account = await findAccount(db, accountId)
    if (!account) return null
    const content = { firstName: account.firstName, ...addresses }
    return { ...accountsMergedEmail(content, `${siteUrl}/auth/login`, await association()), to }
  },
})

export const sendAccountsSeparated = defineEmail({
  kind: 'email.accounts_separated',
  name: 'Accounts separated',
  samples: (firstName, association) => {
    const separated = (needsPassword: boolean) =>
      mergeUndoneEmail(
        { firstName, address: 'a@b.example', needsPassword },
        { loginUrl: SAMPLE_URL, resetUrl: SAMPLE_URL },
        association,
      )
    return { 'accounts separated': separated(false), 'accounts separated, password to choose': separated(true) }
  },
  payload: z.object({ accountId: z.string(), to: z.string(), needsPassword: z.boolean().optional() }),
  subject: 'accountId',
  recipient: 'to',
  priority: 'security',
  async compose({ accountId, to, needsPassword }, { db, siteUrl, association }: AppContext) {
    const account = await findAccount(db, accountId)
    if (!account) return null
    const links = { loginUrl: `${siteUrl}/auth/login`, resetUrl: `${siteUrl}/reset-password` }
    const content = { firstName: account.firstName, address: to, needsPassword: needsPassword === true }
    return { ...mergeUndoneEmail(content, links, await association()), to }
  },
})
