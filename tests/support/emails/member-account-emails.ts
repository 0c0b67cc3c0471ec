import {
  accountDeletedLetter,
  emailChangeAnnouncedEmail,
  emailChangeByOfficersEmail,
  emailChangedByOfficersEmail,
  emailChangeStoppedEmail,
  endingFailedEmail,
} from '#server/features/account/account.emails.ts'
import { approvalDecidedEmail, approvalWantedEmail } from '#server/features/console/approval.emails.ts'
import { addedMemberEmail } from '#server/features/membership/import-invitation.emails.ts'
import type { Letter } from '#server/mail/letter.ts'
import { association } from './association.ts'

/** Emails about what officers do to an account itself, with a name as given. */
export function memberAccountEmails(name: string, url: string): Record<string, Letter> {
  return {
    'added by hand': addedMemberEmail({ firstName: name, email: 'a@b.example', username: name }, url, association),
    'approval wanted': approvalWantedEmail(
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
    'email change, announced': emailChangeAnnouncedEmail(name, url, association),
    'email changed, by officers': emailChangedByOfficersEmail(name, association),
    'email change, stopped': emailChangeStoppedEmail(
      { firstName: name, member: name, askedBy: name },
      url,
      association,
    ),
    'account ended by officers': accountDeletedLetter(
      name,
      { day: 'December 31, 2026', isPast: false },
      association,
      'officers',
    ),
    'ending failed': endingFailedEmail({ firstName: name, member: name }, url, association),
  }
}
