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

/** To the owner of an account whose address somebody else wants: the answer on the page was the same as anyone's (docs/product-rules.md#one-account-per-address). */
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

/** To the new address, when officers asked for it: nothing has changed until its button is used. */
export function emailChangeByOfficersEmail(firstName: string, url: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Please confirm your new email address',
      preview: 'The link lasts 3 days and works once.',
      heading: `Is this your address, ${firstName}?`,
      blocks: [
        {
          kind: 'text',
          text: 'Our office was asked to change the email address of your account to this one. Please confirm it. From then on you log in with this address, and our emails go here.',
        },
        { kind: 'button', label: 'Use this address', url },
        {
          kind: 'text',
          text: 'The next step is to choose a password: the former one stops working when you confirm, and every device is signed out.',
        },
        {
          kind: 'note',
          text: `The link works once, for 3 days. If this is not about you, do nothing, or tell us at ${association.email}: nothing changes.`,
        },
      ],
    },
    association,
  )
}

/** To the present address, when officers asked for another one. It does not name the new one: this may be a stranger's mailbox. */
export function emailChangeAnnouncedEmail(firstName: string, url: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Your email address is about to change',
      preview: 'If you did not ask our office for this, you can stop it.',
      heading: 'Did you ask our office for this?',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, our office was asked to change the email address of your account. Once the new address is confirmed, this one no longer opens the account. If you asked for it, there is nothing to do here.`,
        },
        { kind: 'button', label: 'This was not me', url },
        {
          kind: 'note',
          text: `The button opens a page on which you can stop the change, for 3 days and until the new address is confirmed. You can also write to ${association.email}.`,
        },
      ],
    },
    association,
  )
}

/** To the former address, after a change that officers asked for. */
export function emailChangedByOfficersEmail(firstName: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Your email address was changed',
      preview: 'If you asked our office for this, there is nothing to do.',
      heading: 'Your account has moved',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, our office was asked to change the email address of your account, and the new address was confirmed. This one no longer opens the account. If you asked for this, there is nothing to do.`,
        },
        {
          kind: 'text',
          text: `If you did not, write to ${association.email} at once, and we can give the account back to you.`,
        },
      ],
    },
    association,
  )
}

/** To the officer who asked for a change, and to everyone who manages the officers. */
export function emailChangeStoppedEmail(
  { firstName, member, askedBy }: { firstName: string; member: string; askedBy: string },
  url: string,
  association: Association,
): Letter {
  return printLetter(
    {
      subject: 'A change of email address was stopped',
      preview: 'Somebody at the present address says that they did not ask for it.',
      heading: 'The change was stopped',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, somebody who reads the present address of this member pressed "This was not me". The change of address was stopped, and the account stays as it is.`,
        },
        {
          kind: 'facts',
          facts: [
            ['Member', member],
            ['Asked by', askedBy],
          ],
        },
        { kind: 'button', label: 'Open the member’s page', url },
        {
          kind: 'note',
          text: 'Ask the member by telephone before you try again: either the present address belongs to somebody else, or the request did not come from the member.',
        },
      ],
    },
    association,
  )
}

/** To the officer who ended an account, when the card provider refused to end its subscription. */
export function endingFailedEmail(
  { firstName, member }: { firstName: string; member: string },
  url: string,
  association: Association,
): Letter {
  return printLetter(
    {
      subject: 'An account could not be ended',
      preview: 'It was kept as it is. Please try again.',
      heading: 'The account is still there',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, you asked to end an account. Our card provider would not end its subscription, so the account was kept rather than leaving a card charged without one.`,
        },
        { kind: 'facts', facts: [['Member', member]] },
        { kind: 'button', label: 'Open the member’s page', url },
        {
          kind: 'note',
          text: 'Look at the subscription in the card provider’s dashboard, then end the account again.',
        },
      ],
    },
    association,
  )
}

/** Confirms a deletion (docs/product-rules.md#deleting-an-account). `end` is the last day of the membership's rights; null when there is none. */
export function accountDeletedLetter(
  firstName: string,
  end: { day: string; isPast: boolean } | null,
  association: Association,
  by: 'owner' | 'officers' = 'owner',
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
          text:
            by === 'owner'
              ? `If it was not you who deleted the account, write to ${association.email} at once.`
              : `Our office ended the account at your request. If you did not ask for this, write to ${association.email} at once.`,
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
