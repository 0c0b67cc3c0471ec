import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** For a member whom officers took over from another list: the account is there, its password is the owner's to choose. */
export function invitationLetter(
  { firstName, email, username }: { firstName: string; email: string; username: string },
  url: string,
  association: Association,
): Letter {
  return printLetter(
    {
      subject: 'Your account on our website',
      preview: 'Choose a password, and your membership is at hand. The link lasts 14 days.',
      heading: `Your membership has moved here, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `We brought our list of members to our new website and made an account for you. Log in with ${email} or the username ${username}; only a password is missing, and that is yours to choose:`,
        },
        { kind: 'button', label: 'Choose a password', url },
        {
          kind: 'note',
          text: `The link works once, for 14 days. Later, choose "Forgot your password?" on the page where you log in. If you are not a member, write to ${association.email}.`,
        },
      ],
    },
    association,
  )
}

/** For a member whom an officer added by hand. */
export function addedMemberEmail(
  { firstName, email, username }: { firstName: string; email: string; username: string },
  url: string,
  association: Association,
): Letter {
  return printLetter(
    {
      subject: 'Your account on our website',
      preview: 'Choose a password, and your membership is at hand. The link lasts 14 days.',
      heading: `Welcome, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `Our office added you to the members of the association and made an account for you. Log in with ${email} or the username ${username}; only a password is missing, and that is yours to choose:`,
        },
        { kind: 'button', label: 'Choose a password', url },
        {
          kind: 'note',
          text: `The link works once, for 14 days. Later, choose "Forgot your password?" on the page where you log in. If you did not expect this, write to ${association.email}.`,
        },
      ],
    },
    association,
  )
}
