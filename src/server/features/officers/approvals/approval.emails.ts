import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** To each officer who may approve it. */
export function approvalWantedEmail(
  words: { firstName: string; title: string; askedBy: string; reason: string; until: string },
  url: string,
  association: Association,
): Letter {
  const { firstName, title, askedBy, reason, until } = words
  return printLetter(
    {
      subject: 'A request needs a second officer',
      preview: 'Please approve or decline it in the console.',
      heading: 'A request needs your decision',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, an officer asked for something that takes effect only when a second officer approves it.`,
        },
        {
          kind: 'facts',
          facts: [
            ['Request', title],
            ['Asked by', askedBy],
            ['Reason', reason],
            ['Expires on', until],
          ],
        },
        { kind: 'button', label: 'Open the request', url },
        {
          kind: 'note',
          text: 'Nothing changes until somebody approves it. If you do not recognize the request, decline it and ask the officer who sent it.',
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
  words: {
    firstName: string
    title: string
    state: keyof typeof OUTCOMES
    decidedBy: string | null
    note: string | null
  },
  url: string,
  association: Association,
): Letter {
  const { firstName, title, state, decidedBy, note } = words
  const { subject, verb } = OUTCOMES[state]
  const sentence =
    state === 'expired'
      ? `Hello ${firstName}, nobody approved this request in time, so nothing was changed. You can ask again.`
      : `Hello ${firstName}, ${decidedBy ?? 'a second officer'} ${verb} this request.`
  return printLetter(
    {
      subject,
      preview: title,
      heading: subject,
      blocks: [
        { kind: 'text', text: sentence },
        { kind: 'facts', facts: [['Request', title], ...(note ? [['Reason', note] as [string, string]] : [])] },
        { kind: 'button', label: 'Open the member’s page', url },
      ],
    },
    association,
  )
}
