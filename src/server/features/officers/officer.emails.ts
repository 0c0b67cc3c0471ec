import { z } from 'zod'
import { ROLE_NAMES, type Role } from '#contract/access.ts'
import type { Association } from '#contract/public/association.ts'
import { formatDay } from '#contract/dates/days.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { Db } from '#server/db/database.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findTerm } from './officer.queries.ts'

/** To a new officer: the role, how to open the console, and a contact. */
function roleAssignedEmail(
  { firstName, role, startsOn, endsOn }: { firstName: string; role: Role; startsOn: string; endsOn: string },
  consoleUrl: string,
  association: Association,
): Email {
  const name = ROLE_NAMES[role]
  return renderEmail(
    {
      subject: words`You are ${{ role: name.toLowerCase() }} of the association`,
      preview: words`From ${{ startsOn: formatDay(startsOn) }}. How to open the officers’ console.`,
      heading: words`Welcome aboard, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: 'You were assigned a role for a term. It gives you access to the officers’ console of our website.',
        },
        {
          kind: 'details',
          details: [
            ['Role', name],
            ['First day', formatDay(startsOn)],
            ['Last day', formatDay(endsOn)],
          ],
        },
        {
          kind: 'text',
          text: 'Log in with your own password. On your first visit you set up a passkey or an authenticator app on your phone, which takes two minutes. Your password must have at least 12 characters; you can change it on your account page.',
        },
        { kind: 'button', label: 'Open the console', url: consoleUrl },
        { kind: 'note', text: words`If you did not expect this, email ${{ associationEmail: association.email }}.` },
      ],
    },
    association,
  )
}

export const sendRoleGiven = defineEmail({
  kind: 'email.role_given',
  name: 'Role given',
  samples: (name, association) => ({
    'role given': roleAssignedEmail(
      { firstName: name, role: 'secretary', startsOn: '2027-01-01', endsOn: '2028-12-31' },
      SAMPLE_URL,
      association,
    ),
  }),
  payload: z.object({ termId: z.string() }),
  subject: null,
  priority: 'security',
  async compose(
    { termId },
    { db, siteUrl, association }: { db: Db; siteUrl: string; association(): Promise<Association> },
  ) {
    const term = await findTerm(db, termId)
    const account = term && (await findAccount(db, term.accountId))
    // Role revoked before the email was sent: skip.
    if (!term || term.endedAt !== null || !account || account.deactivatedBy !== null) return null
    const details = { ...term, firstName: account.firstName }
    return { ...roleAssignedEmail(details, `${siteUrl}/console`, await association()), to: account.email }
  },
})
