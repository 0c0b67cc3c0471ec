import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** To the new address: nothing has changed until its button is used. */
export function emailChangeLetter(firstName: string, url: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Please confirm your new email address',
      preview: 'The link lasts 24 hours and works once.',
      heading: `Is this your new address, ${firstName}?`,
      blocks: [
        {
          kind: 'text',
          text: 'You asked to move your account to this address. From then on you log in with it, and our letters go there.',
        },
        { kind: 'button', label: 'Use this address', url },
        {
          kind: 'note',
          text: 'The link works once, for 24 hours. If you did not ask for this, do nothing: the account stays as it is.',
        },
      ],
    },
    association,
  )
}

/** To the owner of an account whose address somebody else wants: the answer on the page was the same as anyone's (as B2). */
export function addressWantedLetter(firstName: string, loginUrl: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Somebody asked to use your address',
      preview: 'Nothing was changed. If it was you, log in with this address.',
      heading: `This address has an account, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: 'Someone who is logged in to another account asked to move it to this address. It belongs to your account, so nothing was changed. If it was you, log in to the account that has it:',
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        { kind: 'note', text: 'If this was not you, do nothing: nobody learned that you have an account.' },
      ],
    },
    association,
  )
}

/** To the former address, after the change. */
export function emailChangedLetter(firstName: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Your email address was changed',
      preview: 'If this was you, there is nothing to do.',
      heading: 'Your account has moved',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, your account now has another email address, which was confirmed from there. This one no longer opens it. If this was you, there is nothing to do.`,
        },
        {
          kind: 'text',
          text: `If it was not you, write to ${association.email} at once: somebody knows your password, and we can give the account back to you.`,
        },
      ],
    },
    association,
  )
}

/** Confirms a deletion (decision C5). `end` is the last day of the membership's rights; null when there is none. */
export function accountDeletedLetter(
  firstName: string,
  end: { day: string; isPast: boolean } | null,
  association: Association,
): Letter {
  return printLetter(
    {
      subject: 'Your account was deleted',
      preview: 'Nothing more will be charged.',
      heading: `Goodbye, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: 'Your account was deactivated as you asked, every device was signed out, and nothing more will be charged.',
        },
        ...(end ? [{ kind: 'facts' as const, facts: [[endWords(end), end.day]] as [string, string][] }] : []),
        {
          kind: 'text',
          text: 'We keep your name and address with your payments for as long as the books require. You are welcome to register again at any time, with this address too.',
        },
        {
          kind: 'note',
          text: `If it was not you who deleted the account, write to ${association.email} at once.`,
        },
      ],
    },
    association,
  )
}

function endWords({ isPast }: { isPast: boolean }): string {
  return isPast ? 'Your membership ended on' : 'Your membership ends on'
}

/** For a deletion that had to wait and that the card provider then refused: the page was closed by then. */
export function deletionFailedLetter(firstName: string, accountUrl: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Your account could not be deleted',
      preview: 'It was kept as it is. Please try again.',
      heading: 'Your account is still there',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, you asked us to delete your account. Our card provider would not end the renewal of your membership, so the account was kept rather than leaving you charged without one.`,
        },
        { kind: 'button', label: 'Try again', url: accountUrl },
        { kind: 'note', text: `If it fails again, write to ${association.email} and we will do it for you.` },
      ],
    },
    association,
  )
}
