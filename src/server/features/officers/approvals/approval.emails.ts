import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { ApprovalAct } from '#contract/console/approvals.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { listManagers } from '../managers.queries.ts'
import { findApproval } from './approval.repository.ts'
import type { ApprovableAct } from './approval.service.ts'

/** To each officer who may approve it. */
function approvalRequestedEmail(
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
          text: words`Hello ${{ firstName }}, an officer made a request that takes effect only after a second officer approves it.`,
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
function approvalDecidedEmail(
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
      ? words`Hello ${{ firstName }}, no one approved this request in time, so nothing changed. You can request it again.`
      : words`Hello ${{ firstName }}, ${{ decidedBy: decidedBy ?? 'a second officer' }} ${{ verb }} this request.`
  return renderEmail(
    {
      subject,
      preview: words`${{ title }}`,
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

type Tools = AppContext & {
  approvableActs: Record<ApprovalAct, ApprovableAct>
}

/** The name of the officer who asked or decided. */
export async function nameOfOfficer(db: Db, accountId: string): Promise<string> {
  const account = await findAccount(db, accountId)
  return account ? `${account.firstName} ${account.lastName}` : 'An officer'
}

export const sendApprovalWanted = defineEmail({
  kind: 'email.approval_wanted',
  name: 'Approval wanted',
  samples: (name, association) => ({
    'approval wanted': approvalRequestedEmail(
      { firstName: name, title: name, askedBy: name, reason: name, until: 'December 31, 2026' },
      SAMPLE_URL,
      association,
    ),
  }),
  payload: z.object({ approvalId: z.string(), accountId: z.string() }),
  subject: 'accountId',
  priority: 'personal',
  async compose({ approvalId, accountId }, { db, clock, siteUrl, timeZone, association, approvableActs }: Tools) {
    const request = await findApproval(db, approvalId)
    const managers = await listManagers(db, dayOf(clock.now(), timeZone))
    const approver = managers.find((manager) => manager.accountId === accountId)
    // Decided before the email was sent, or the role ended.
    if (request?.state !== 'waiting' || !approver) return null
    const details = {
      firstName: approver.firstName,
      title: await approvableActs[request.act].title(request),
      askedBy: await nameOfOfficer(db, request.askedBy),
      reason: request.reason,
      until: formatLongDate(request.expiresAt, timeZone),
    }
    const email = approvalRequestedEmail(details, `${siteUrl}/console/approvals`, await association())
    return { ...email, to: approver.email }
  },
})

export const sendApprovalDecided = defineEmail({
  kind: 'email.approval_decided',
  name: 'Approval decided',
  samples: (name, association) =>
    Object.fromEntries(
      (['approved', 'declined', 'expired'] as const).map((state) => [
        `approval ${state}`,
        approvalDecidedEmail(
          {
            firstName: name,
            title: name,
            state,
            decidedBy: state === 'expired' ? null : name,
            note: state === 'declined' ? name : null,
          },
          SAMPLE_URL,
          association,
        ),
      ]),
    ),
  payload: z.object({ approvalId: z.string() }),
  subject: null,
  priority: 'personal',
  async compose({ approvalId }, { db, siteUrl, association, approvableActs }: Tools) {
    const request = await findApproval(db, approvalId)
    const asker = request && (await findAccount(db, request.askedBy))
    if (!request || !asker || asker.deactivatedBy !== null) return null
    const { state } = request
    if (state === 'waiting' || state === 'withdrawn') return null
    const details = {
      firstName: asker.firstName,
      title: await approvableActs[request.act].title(request),
      state,
      decidedBy: request.decidedBy === null ? null : await nameOfOfficer(db, request.decidedBy),
      note: request.note,
    }
    const url = `${siteUrl}/console/members/${request.subjectId}`
    return { ...approvalDecidedEmail(details, url, await association()), to: asker.email }
  },
})
