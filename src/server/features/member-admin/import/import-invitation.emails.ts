import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { markTokenSent, startTokenLifetime } from '#server/features/auth/one-time-token.commands.ts'

/** For an imported member: the account exists, and the member chooses its password. */
function importedMemberEmail(
  { firstName, email, username }: { firstName: string; email: string; username: string },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'Your account on our website',
      preview: 'Choose a password to use your account. The link is valid for 14 days.',
      heading: words`Your membership has moved here, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: words`We moved our member list to our new website and created an account for you. You can log in with ${{ email }} or the username ${{ username }}. First, please choose a password:`,
        },
        { kind: 'button', label: 'Choose a password', url },
        {
          kind: 'note',
          text: words`The link works once, within 14 days. After that, choose "Forgot your password?" on the login page. If you are not a member, please email ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

/** For a member an officer added manually. */
function addedMemberEmail(
  { firstName, email, username }: { firstName: string; email: string; username: string },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'Your account on our website',
      preview: 'Choose a password to use your account. The link is valid for 14 days.',
      heading: words`Welcome, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: words`Our office added you as a member of the association and created an account for you. You can log in with ${{ email }} or the username ${{ username }}. First, please choose a password:`,
        },
        { kind: 'button', label: 'Choose a password', url },
        {
          kind: 'note',
          text: words`The link works once, within 14 days. After that, choose "Forgot your password?" on the login page. If you did not expect this, please email ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

export const sendInvitation = defineEmail({
  kind: 'email.invitation',
  name: 'Invitation to choose a password',
  samples: (name, association) => {
    const person = { firstName: name, email: 'a@b.example', username: name }
    return {
      invitation: importedMemberEmail(person, SAMPLE_URL, association),
      'added by hand': addedMemberEmail(person, SAMPLE_URL, association),
    }
  },
  payload: z.object({ tokenId: z.string(), as: z.enum(['imported', 'added']).optional() }),
  subject: 'tokenId',
  priority: 'bulk',
  purpose: 'reminder',
  async compose({ tokenId, as }, { db, clock, secrets, siteUrl, association }: AppContext) {
    const token = await startTokenLifetime(db, tokenId, clock.now())
    const account = token && (await findAccount(db, token.subjectId))
    if (!token || !account || account.deactivatedBy !== null) return null
    const query = new URLSearchParams({ token: secrets.token('password-reset', token.id), userId: account.id })
    const url = `${siteUrl}/reset-password?${query}`
    const { firstName, email, username } = account
    const compose = as === 'added' ? addedMemberEmail : importedMemberEmail
    return {
      ...compose({ firstName, email, username }, url, await association()),
      to: email,
      onSent: () => markTokenSent(db, token.id, clock.now()),
    }
  },
})
