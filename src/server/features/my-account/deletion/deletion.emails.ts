import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { rightsEndAt } from '#server/features/memberships/membership.rules.ts'

/** To the officer who ended an account, when the card provider refused to cancel its subscription. */
function endingFailedEmail(
  { firstName, member }: { firstName: string; member: string },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'An account could not be ended',
      preview: 'Nothing was changed. Please try again.',
      heading: 'The account was not ended',
      blocks: [
        {
          kind: 'text',
          text: words`Hello ${{ firstName }}, you asked to end an account. Our card provider did not cancel its subscription, so we kept the account: otherwise the card would still be charged.`,
        },
        { kind: 'details', details: [['Member', member]] },
        { kind: 'button', label: 'Open the member’s page', url },
        {
          kind: 'note',
          text: 'Check the subscription in the card provider’s dashboard, then end the account again.',
        },
      ],
    },
    association,
  )
}

/**
 * Confirms a deletion (docs/product-rules.md#deleting-an-account). `end` is the last day of the membership; null if
 * there is none.
 */
function accountDeletedEmail(
  firstName: string,
  end: { day: string; isPast: boolean } | null,
  association: Association,
  by: 'owner' | 'officers' = 'owner',
): Email {
  return renderEmail(
    {
      subject: 'Your account was deleted',
      preview: 'Nothing more will be charged.',
      heading: words`Goodbye, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: 'Your account was deactivated as you asked, every device was signed out, and nothing more will be charged.',
        },
        ...(end ? [{ kind: 'details' as const, details: [[endLabel(end), end.day]] as [string, string][] }] : []),
        {
          kind: 'text',
          text: 'We keep your name and address with your payments for as long as our bookkeeping requires. You are welcome to register again at any time, also with this address.',
        },
        {
          kind: 'note',
          text:
            by === 'owner'
              ? words`If you did not delete the account, email ${{ associationEmail: association.email }} right away.`
              : words`Our office ended the account at your request. If you did not ask for this, email ${{ associationEmail: association.email }} right away.`,
        },
      ],
    },
    association,
  )
}

function endLabel({ isPast }: { isPast: boolean }): string {
  return isPast ? 'Your membership ended on' : 'Your membership ends on'
}

/** For a deletion that was retried in the background and that the card provider then refused. */
function deletionFailedEmail(firstName: string, accountUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your account could not be deleted',
      preview: 'Nothing was changed. Please try again.',
      heading: 'Your account was not deleted',
      blocks: [
        {
          kind: 'text',
          text: words`Hello ${{ firstName }}, you asked us to delete your account. Our card provider did not cancel the renewal of your membership, so we kept your account: otherwise you would still be charged.`,
        },
        { kind: 'button', label: 'Try again', url: accountUrl },
        {
          kind: 'note',
          text: words`If it fails again, email ${{ associationEmail: association.email }} and we will do it for you.`,
        },
      ],
    },
    association,
  )
}

export const sendAccountDeleted = defineEmail({
  kind: 'email.account_deleted',
  name: 'Account deleted',
  samples: (name, association) => ({
    'account deleted': accountDeletedEmail(name, { day: 'December 31, 2026', isPast: false }, association),
    'account deleted while owing': accountDeletedEmail(name, { day: 'December 31, 2026', isPast: true }, association),
    'account without a term deleted': accountDeletedEmail(name, null, association),
    'account ended by officers': accountDeletedEmail(
      name,
      { day: 'December 31, 2026', isPast: false },
      association,
      'officers',
    ),
  }),
  payload: z.object({ accountId: z.string(), byOfficers: z.boolean().optional() }),
  subject: 'accountId',
  priority: 'security',
  async compose({ accountId, byOfficers }, { db, clock, timeZone, graceMs, association }: AppContext) {
    const account = await findAccount(db, accountId)
    if (!account) return null
    const membership = await findCurrentMembership(db, account.id)
    const endsAt = membership && rightsEndAt(membership, graceMs())
    const end = endsAt === null ? null : { day: formatLongDate(endsAt, timeZone), isPast: endsAt <= clock.now() }
    const by = byOfficers ? 'officers' : 'owner'
    return { ...accountDeletedEmail(account.firstName, end, await association(), by), to: account.email }
  },
})

/** To the officer who ended the account. */
export const sendEndingFailed = defineEmail({
  kind: 'email.ending_failed',
  name: 'Ending failed',
  samples: (name, association) => ({
    'ending failed': endingFailedEmail({ firstName: name, member: name }, SAMPLE_URL, association),
  }),
  payload: z.object({ accountId: z.string(), officerId: z.string() }),
  subject: 'accountId',
  recipient: 'officerId',
  priority: 'security',
  async compose({ accountId, officerId }, { db, siteUrl, association }: AppContext) {
    const account = await findAccount(db, accountId)
    const officer = await findAccount(db, officerId)
    if (!account || !officer || officer.deactivatedBy !== null) return null
    const details = { firstName: officer.firstName, member: `${account.firstName} ${account.lastName}` }
    const url = `${siteUrl}/console/members/${account.id}`
    return { ...endingFailedEmail(details, url, await association()), to: officer.email }
  },
})

export const sendDeletionFailed = defineEmail({
  kind: 'email.deletion_failed',
  name: 'Deletion failed',
  samples: (name, association) => ({ 'deletion failed': deletionFailedEmail(name, SAMPLE_URL, association) }),
  payload: z.object({ accountId: z.string() }),
  subject: 'accountId',
  priority: 'security',
  async compose({ accountId }, { db, siteUrl, association }: AppContext) {
    const account = await findAccount(db, accountId)
    if (!account) return null
    const email = deletionFailedEmail(account.firstName, `${siteUrl}/auth/account`, await association())
    return { ...email, to: account.email }
  },
})
