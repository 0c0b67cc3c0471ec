import { accountDeletedEmail, endingFailedEmail } from '#server/features/my-account/deletion/deletion.emails.ts'
import {
  emailChangeByOfficersEmail,
  emailChangedByOfficersEmail,
  emailChangeStoppedEmail,
  emailChangeWarning,
} from '#server/features/my-account/email-change/email-change.emails.ts'
import { approvalDecidedEmail, approvalRequestedEmail } from '#server/features/officers/approvals/approval.emails.ts'
import { addedMemberEmail } from '#server/features/member-admin/import/import-invitation.emails.ts'
import type { Email } from '#server/emails/email.ts'
import { association } from '../association.ts'

/** Emails about changes that officers make to an account, with the given name. */
export function memberAccountEmails(name: string, url: string): Record<string, Email> {
  return {
    'added by hand': addedMemberEmail({ firstName: name, email: 'a@b.example', username: name }, url, association),
    'approval wanted': approvalRequestedEmail(
      { firstName: name, title: name, askedBy: name, reason: name, until: 'December 31, 2026' },
      url,
      association,
    ),
    ...Object.fromEntries(
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
          url,
          association,
        ),
      ]),
    ),
    'email change, by officers': emailChangeByOfficersEmail(name, url, association),
    'email change, announced': emailChangeWarning(name, url, association),
    'email changed, by officers': emailChangedByOfficersEmail(name, association),
    'email change, stopped': emailChangeStoppedEmail(
      { firstName: name, member: name, askedBy: name },
      url,
      association,
    ),
    'account ended by officers': accountDeletedEmail(
      name,
      { day: 'December 31, 2026', isPast: false },
      association,
      'officers',
    ),
    'ending failed': endingFailedEmail({ firstName: name, member: name }, url, association),
  }
}
