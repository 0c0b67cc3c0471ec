import { z } from 'zod'
import type { AppContext } from '#server/app-context.ts'
import type { Association } from '#contract/public/association.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { words } from '#server/emails/words.rules.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { hasRights, membershipStatus, runsUntil, willRenew } from '#server/features/memberships/membership.rules.ts'

export interface RenewalLinkValues {
  firstName: string
  levelName: string
  /** The day the membership ends or ended. */
  endsDay: string
  hasEnded: boolean
  /** Of the next term, as text. */
  price: string
}

/** An officer's invitation to renew, at any time. */
function renewalLinkEmail(values: RenewalLinkValues, url: string, association: Association): Email {
  const { firstName, levelName, endsDay, hasEnded, price } = values
  const verb = hasEnded ? 'ended' : 'ends'
  return renderEmail(
    {
      subject: hasEnded ? 'Would you like to renew your membership?' : words`Your membership ends on ${{ endsDay }}`,
      preview: 'Renewing takes a minute.',
      heading: hasEnded
        ? words`We would be glad to have you back, ${{ firstName }}`
        : words`Renew your membership, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: words`Your membership as ${{ levelName }} ${{ verb }} on ${{ endsDay }}. You can renew it here:`,
        },
        { kind: 'button', label: 'Renew my membership', url },
        {
          kind: 'details',
          details: [
            ['Membership', levelName],
            [hasEnded ? 'Ended on' : 'Ends on', endsDay],
            ['Price of the next term', price],
          ],
        },
        {
          kind: 'note',
          text: words`You may also pay by check. Questions? Email ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

export const sendRenewalLink = defineEmail({
  kind: 'email.renewal_link',
  name: 'Renewal link',
  samples: (name, association) => {
    const link = (endsDay: string, hasEnded: boolean) =>
      renewalLinkEmail(
        { firstName: name, levelName: 'Annual Member', endsDay, hasEnded, price: '$100' },
        SAMPLE_URL,
        association,
      )
    return {
      'renewal link': link('January 14, 2027', false),
      'renewal link, ended': link('January 14, 2026', true),
    }
  },
  payload: z.object({ accountId: z.string() }),
  subject: 'accountId',
  priority: 'bulk',
  purpose: 'reminder',
  async compose({ accountId }, { db, clock, siteUrl, timeZone, graceMs, association }: AppContext) {
    const account = await findAccount(db, accountId)
    const membership = await findCurrentMembership(db, accountId)
    if (!account || account.deactivatedBy !== null || !membership) return null
    const hasEnded = !hasRights(membershipStatus(membership, clock.now(), graceMs()))
    const end = runsUntil(membership, graceMs())
    const level = await findLevel(db, membership.levelKey)
    // Renewed since it was asked for.
    if (end === null || !level || (!hasEnded && willRenew(membership))) return null
    const values: RenewalLinkValues = {
      firstName: account.firstName,
      levelName: level.name,
      endsDay: formatLongDate(end, timeZone),
      hasEnded,
      price: level.unitAmount === 0 ? 'Free' : formatMoney(level.unitAmount, level.currency),
    }
    const url = `${siteUrl}${hasEnded ? '/become-a-member' : '/account'}`
    return { ...renewalLinkEmail(values, url, await association()), to: account.email }
  },
})
