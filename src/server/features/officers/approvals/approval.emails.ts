import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'

/** To each officer who may approve it. */
export function approvalRequestedEmail(
  details: { firstName: string; title: string; askedBy: string; reason: string; until: string },
  url: string,
  association: Association,
): Email {
  const { firstName, title, askedBy, reason, until } = details
  return renderEmail(
    {
      subject: 'A request needs a second officer',
      preview: 'Please approve or decline it in the console.',
      heading: 'A request needs your decision',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, an officer made a request that takes effect only after a second officer approves it.`,
        },
        {
          kind: 'details',
          details: [
            ['Request', title],
            ['Requested by', askedBy],
            ['Reason', reason],
            ['Expires on', until],
          ],
        },
        { kind: 'button', label: 'Open the request', url },
        {
          kind: 'note',
          text: 'Nothing changes until an officer approves it. If you do not recognize the request, decline it and ask the officer who sent it.',
        },
      ],
    },
    association,
  )
}

const OUTCOMES = {
  approved: { subject: 'Your request was approved', verb: 'approved' },
  declined: { subject: 'Your request was declined', verb: 'declined' },
  expired: { subject: 'Your request has expired', verb: '' },
} as const

/** To the officer who asked. */
export function approvalDecidedEmail(
  details: {
    firstName: string
    title: string
    state: keyof typeof OUTCOMES
    decidedBy: string | null
    note: string | null
  },
  url: string,
  association: Association,
): Email {
  const { firstName, title, state, decidedBy, note } = details
  const { subject, verb } = OUTCOMES[state]
  const sentence =
    state === 'expired'
      ? `Hello ${firstName}, no one approved this request in time, so nothing changed. You can request it again.`
      : `Hello ${firstName}, ${decidedBy ?? 'a second officer'} ${verb} this request.`
  return renderEmail(
    {
      subject,
      preview: title,
      heading: subject,
      blocks: [
        { kind: 'text', text: sentence },
        { kind: 'details', details: [['Request', title], ...(note ? [['Reason', note] as [string, string]] : [])] },
        { kind: 'button', label: 'Open the member’s page', url },
      ],
    },
    association,
  )
}
