import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'

/** For an imported member: the account exists, and the member chooses its password. */
export function importedMemberEmail(
  { firstName, email, username }: { firstName: string; email: string; username: string },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'Your account on our website',
      preview: 'Choose a password to use your account. The link is valid for 14 days.',
      heading: `Your membership has moved here, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `We moved our member list to our new website and created an account for you. You can log in with ${email} or the username ${username}. First, please choose a password:`,
        },
        { kind: 'button', label: 'Choose a password', url },
        {
          kind: 'note',
          text: `The link works once, within 14 days. After that, choose "Forgot your password?" on the login page. If you are not a member, please email ${association.email}.`,
        },
      ],
    },
    association,
  )
}

/** For a member an officer added manually. */
export function addedMemberEmail(
  { firstName, email, username }: { firstName: string; email: string; username: string },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'Your account on our website',
      preview: 'Choose a password to use your account. The link is valid for 14 days.',
      heading: `Welcome, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `Our office added you as a member of the association and created an account for you. You can log in with ${email} or the username ${username}. First, please choose a password:`,
        },
        { kind: 'button', label: 'Choose a password', url },
        {
          kind: 'note',
          text: `The link works once, within 14 days. After that, choose "Forgot your password?" on the login page. If you did not expect this, please email ${association.email}.`,
        },
      ],
    },
    association,
  )
}
