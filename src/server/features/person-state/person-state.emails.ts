import { z } from 'zod'
import { personStateLimits } from '#contract/console/people/person-state.ts'
import type { Association } from '#contract/public/association.ts'
import type { AppContext } from '#server/app-context.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { words } from '#server/emails/words.rules.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { listOpenReports } from './person-state.queries.ts'
import { stillHereLink } from './still-here-link.service.ts'

function deathReportedEmail(firstName: string, url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Please tell us that you are still here',
      preview: 'Someone told us that the owner of this account died.',
      heading: 'Are you still here?',
      blocks: [
        {
          kind: 'text',
          text: words`Dear ${{ firstName }}, someone told us that the owner of this account died. Nothing has changed yet. If this is wrong, please tell us with one tap; you do not need to log in.`,
        },
        { kind: 'button', label: 'I’m still here', url },
        {
          kind: 'note',
          text: words`If you are a relative: we are sorry for your loss. You do not need to do anything. If we hear nothing within ${{ days: String(personStateLimits.objectionDays) }} days, officers of the association may close the account. You can reach us at ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

function accountReopenedEmail(
  { firstName, endedRenewal }: { firstName: string; endedRenewal: boolean },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'Your account is open again',
      preview: 'We had closed it by mistake.',
      heading: 'Your account is open again',
      blocks: [
        {
          kind: 'text',
          text: words`Dear ${{ firstName }}, we had closed your account because your death was reported to us. We are glad that this was wrong, and we apologize. You can log in as before, and everything is where it was.`,
        },
        ...(endedRenewal
          ? [
              {
                kind: 'text' as const,
                text: 'One thing stays ended: your membership no longer renews automatically. It runs to the end of the time that is paid; please renew it in your account.',
              },
            ]
          : []),
        { kind: 'button', label: 'Open your account', url },
      ],
    },
    association,
  )
}

/** To the account, so that the person can object before officers decide. */
export const sendDeathReported = defineEmail({
  kind: 'email.death_reported',
  name: 'Death reported',
  samples: (name, association) => ({ 'death reported': deathReportedEmail(name, SAMPLE_URL, association) }),
  payload: z.object({ accountId: z.string() }),
  subject: 'accountId',
  priority: 'personal',
  async compose({ accountId }, { db, siteUrl, secrets, association }: AppContext) {
    const account = await findAccount(db, accountId)
    if (!account || account.deactivatedBy !== null) return null
    if ((await listOpenReports(db, accountId)).length === 0) return null
    const url = stillHereLink(siteUrl, secrets, { accountId, callId: null })
    return { ...deathReportedEmail(account.firstName, url, await association()), to: account.email }
  },
})

/** After an undo: what was restored, and what was not. */
export const sendAccountReopened = defineEmail({
  kind: 'email.account_reopened',
  name: 'Account reopened',
  samples: (name, association) => ({
    'account reopened': accountReopenedEmail({ firstName: name, endedRenewal: false }, SAMPLE_URL, association),
    'account reopened without its renewal': accountReopenedEmail(
      { firstName: name, endedRenewal: true },
      SAMPLE_URL,
      association,
    ),
  }),
  payload: z.object({ accountId: z.string(), endedRenewal: z.boolean() }),
  subject: 'accountId',
  priority: 'personal',
  async compose({ accountId, endedRenewal }, { db, siteUrl, association }: AppContext) {
    const account = await findAccount(db, accountId)
    if (!account || account.deactivatedBy !== null) return null
    const details = { firstName: account.firstName, endedRenewal }
    return { ...accountReopenedEmail(details, `${siteUrl}/auth/account`, await association()), to: account.email }
  },
})
