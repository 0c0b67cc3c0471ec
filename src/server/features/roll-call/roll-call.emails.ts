import { z } from 'zod'
import { formatDay } from '#contract/dates/days.ts'
import type { Association } from '#contract/public/association.ts'
import type { AppContext } from '#server/app-context.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { words } from '#server/emails/words.rules.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { stillHereLink } from '#server/features/person-state/still-here-link.service.ts'
import { findAsked, findRollCall, isRollCallOpen } from './roll-call.queries.ts'

function rollCallEmail(
  { firstName, closesOn }: { firstName: string; closesOn: string },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'Are you still here? One tap is enough',
      preview: 'Once a year we ask, so that we do not lose you.',
      heading: 'Are you still here?',
      blocks: [
        {
          kind: 'text',
          text: words`Dear ${{ firstName }}, once a year we ask our members whether we still reach them. Please answer with one tap by ${{ lastDay: closesOn }}; you do not need to log in.`,
        },
        { kind: 'button', label: 'I’m still here', url },
        {
          kind: 'note',
          text: words`You can also say that you moved, or that this email reached the wrong person. If you answer nothing, your membership stays as it is; we will try to reach you in another way. Questions: ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

export const sendRollCall = defineEmail({
  kind: 'email.roll_call',
  name: 'Roll call',
  samples: (name, association) => ({
    'roll call': rollCallEmail({ firstName: name, closesOn: 'January 31, 2027' }, SAMPLE_URL, association),
  }),
  payload: z.object({ callId: z.string(), accountId: z.string() }),
  subject: 'accountId',
  priority: 'bulk',
  purpose: 'reminder',
  async compose({ callId, accountId }, { db, clock, siteUrl, secrets, association }: AppContext) {
    const [call, asked, account] = [
      await findRollCall(db, callId),
      await findAsked(db, { callId, accountId }),
      await findAccount(db, accountId),
    ]
    // Answered, closed or left since it was queued.
    if (!call || !isRollCallOpen(call, clock.now()) || !asked || asked.answer !== null) return null
    if (!account || account.deactivatedBy !== null) return null
    const url = stillHereLink(siteUrl, secrets, { accountId, callId })
    const details = { firstName: account.firstName, closesOn: formatDay(call.closesOn) }
    return { ...rollCallEmail(details, url, await association()), to: account.email }
  },
})
