import { z } from 'zod'
import type { AppContext } from '#server/app-context.ts'
import type { Association } from '#contract/public/association.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { words } from '#server/emails/words.rules.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { closeDelivery } from './statement.repository.ts'
import { printStatement } from './print-statement.service.ts'

/** To a member, with the statement attached. */
function statementEmail(
  {
    firstName,
    year,
    details,
    url,
  }: { firstName: string; year: number; details: [label: string, value: string][]; url: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: words`Your statement for ${{ year }}`,
      preview: words`What you paid in ${{ year }}: dues, event seats and sponsorships.`,
      heading: words`Your statement for ${{ year }}`,
      blocks: [
        {
          kind: 'text',
          text: words`Hello ${{ firstName }}, this is what you paid to the association in ${{ year }}. The statement is attached as a PDF for your records, and in your account.`,
        },
        { kind: 'details', details },
        { kind: 'button', label: 'Open my account', url },
        { kind: 'note', text: 'Is something missing or wrong? Reply to this email.' },
      ],
    },
    association,
  )
}

/** Sent once a year to each member who paid. */
export const sendStatement = defineEmail({
  kind: 'email.statement',
  name: 'Statement of a year',
  samples: (name, association) => ({
    'statement of a year': statementEmail(
      { firstName: name, year: 2026, details: [['January 5, 2026', name]], url: SAMPLE_URL },
      association,
    ),
  }),
  payload: z.object({ year: z.number(), accountId: z.string() }),
  subject: 'accountId',
  priority: 'bulk',
  async compose({ year, accountId }, ctx: AppContext) {
    const { db, clock, siteUrl, association } = ctx
    const account = await findAccount(db, accountId)
    const printed = account && account.deactivatedBy === null ? await printStatement(ctx, accountId, year) : null
    if (!account || !printed) {
      await closeDelivery(db, { year, accountId }, { skippedAt: clock.now() })
      return null
    }
    const { firstName, email: to } = account
    return {
      ...statementEmail(
        { firstName, year, details: printed.details, url: `${siteUrl}/auth/account` },
        await association(),
      ),
      to,
      attachments: [{ filename: printed.filename, contentType: 'application/pdf', content: printed.pdf }],
      onSent: () => closeDelivery(db, { year, accountId }, { sentAt: clock.now() }),
    }
  },
})
