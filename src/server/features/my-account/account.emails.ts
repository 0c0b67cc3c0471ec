import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'

/** To the new address; nothing changes until its button is used. */
export function emailChangeEmail(firstName: string, url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Please confirm your new email address',
      preview: 'The link works once and expires in 24 hours.',
      heading: `Is this your new address, ${firstName}?`,
      blocks: [
        {
          kind: 'text',
          text: 'You asked to use this address for your account. Once you confirm it, you log in with it and our emails go here.',
        },
        { kind: 'button', label: 'Use this address', url },
        {
          kind: 'note',
          text: 'The link works once and expires in 24 hours. If you did not request this, ignore this email; nothing will change.',
        },
      ],
    },
    association,
  )
}

/**
 * To the owner of an account whose address another account requested: the page responds the same for every address
 * (docs/product-rules.md#one-account-per-address).
 */
export function addressRequestedEmail(firstName: string, loginUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Someone asked to use your email address',
      preview: 'Nothing changed. If this was you, log in with this address.',
      heading: `This address already has an account, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: 'Someone logged in to another account tried to change its email address to this one. The address belongs to your account, so nothing changed. If this was you, log in to this account:',
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        { kind: 'note', text: 'If this was not you, ignore this email. We did not reveal that you have an account.' },
      ],
    },
    association,
  )
}

/** To the former address, after the change. */
export function emailChangedEmail(firstName: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your email address was changed',
      preview: 'If this was you, there is nothing to do.',
      heading: 'Your email address was changed',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, your account now has another email address, which has been confirmed. You can no longer log in with this one. If this was you, there is nothing to do.`,
        },
        {
          kind: 'text',
          text: `If it was not you, write to ${association.email} right away: someone knows your password. We can restore your account.`,
        },
      ],
    },
    association,
  )
}

/** To the new address, for a change that officers requested; nothing changes until its button is used. */
export function emailChangeByOfficersEmail(firstName: string, url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Please confirm your new email address',
      preview: 'The link works once and expires in 3 days.',
      heading: `Is this your address, ${firstName}?`,
      blocks: [
        {
          kind: 'text',
          text: 'Our office was asked to change the email address of your account to this one. Please confirm it. You will then log in with this address, and our emails will go here.',
        },
        { kind: 'button', label: 'Use this address', url },
        {
          kind: 'text',
          text: 'The next step is to choose a new password: when you confirm, the old one stops working and every device is signed out.',
        },
        {
          kind: 'note',
          text: `The link works once and expires in 3 days. If this is not your account, ignore this email or write to ${association.email}; nothing will change.`,
        },
      ],
    },
    association,
  )
}

/**
 * To the current address, for a change that officers requested. Does not name the new address: the mailbox may belong
 * to a stranger.
 */
export function emailChangeWarning(firstName: string, url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your email address is about to change',
      preview: 'If you did not ask our office for this, you can stop it.',
      heading: 'Did you ask our office for this?',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, our office was asked to change the email address of your account. Once the new address is confirmed, you can no longer log in with this one. If you asked for this, there is nothing to do.`,
        },
        { kind: 'button', label: 'This was not me', url },
        {
          kind: 'note',
          text: `The button opens a page where you can stop the change. It works for 3 days or until the new address is confirmed. You can also write to ${association.email}.`,
        },
      ],
    },
    association,
  )
}

/** To the former address, after a change that officers requested. */
export function emailChangedByOfficersEmail(firstName: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your email address was changed',
      preview: 'If you asked our office for this, there is nothing to do.',
      heading: 'Your email address was changed',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, our office was asked to change the email address of your account, and the new address was confirmed. You can no longer log in with this one. If you asked for this, there is nothing to do.`,
        },
        {
          kind: 'text',
          text: `If you did not, write to ${association.email} right away. We can restore your account.`,
        },
      ],
    },
    association,
  )
}

/** To the officer who requested the change, and to everyone who manages officers. */
export function emailChangeStoppedEmail(
  { firstName, member, askedBy }: { firstName: string; member: string; askedBy: string },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'A change of email address was stopped',
      preview: 'Someone at the current address says they did not request it.',
      heading: 'The change was stopped',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, someone who reads email at the member’s current address clicked "This was not me". The change was stopped; the account was not changed.`,
        },
        {
          kind: 'details',
          details: [
            ['Member', member],
            ['Requested by', askedBy],
          ],
        },
        { kind: 'button', label: 'Open the member’s page', url },
        {
          kind: 'note',
          text: 'Call the member before you try again: either the current address belongs to someone else, or the request did not come from the member.',
        },
      ],
    },
    association,
  )
}

/** To the officer who ended an account, when the card provider refused to cancel its subscription. */
export function endingFailedEmail(
  { firstName, member }: { firstName: string; member: string },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'An account could not be ended',
      preview: 'Nothing was changed. Please try again.',
      heading: 'The account was not ended',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, you asked to end an account. Our card provider did not cancel its subscription, so we kept the account: otherwise the card would still be charged.`,
        },
        { kind: 'details', details: [['Member', member]] },
        { kind: 'button', label: 'Open the member’s page', url },
        {
          kind: 'note',
          text: 'Check the subscription in the card provider’s dashboard, then end the account again.',
        },
      ],
    },
    association,
  )
}

/**
 * Confirms a deletion (docs/product-rules.md#deleting-an-account). `end` is the last day of the membership; null if
 * there is none.
 */
export function accountDeletedEmail(
  firstName: string,
  end: { day: string; isPast: boolean } | null,
  association: Association,
  by: 'owner' | 'officers' = 'owner',
): Email {
  return renderEmail(
    {
      subject: 'Your account was deleted',
      preview: 'Nothing more will be charged.',
      heading: `Goodbye, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: 'Your account was deactivated as you asked, every device was signed out, and nothing more will be charged.',
        },
        ...(end ? [{ kind: 'details' as const, details: [[endLabel(end), end.day]] as [string, string][] }] : []),
        {
          kind: 'text',
          text: 'We keep your name and address with your payments for as long as our bookkeeping requires. You are welcome to register again at any time, also with this address.',
        },
        {
          kind: 'note',
          text:
            by === 'owner'
              ? `If you did not delete the account, write to ${association.email} right away.`
              : `Our office ended the account at your request. If you did not ask for this, write to ${association.email} right away.`,
        },
      ],
    },
    association,
  )
}

function endLabel({ isPast }: { isPast: boolean }): string {
  return isPast ? 'Your membership ended on' : 'Your membership ends on'
}

/** For a deletion that was retried in the background and that the card provider then refused. */
export function deletionFailedEmail(firstName: string, accountUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your account could not be deleted',
      preview: 'Nothing was changed. Please try again.',
      heading: 'Your account was not deleted',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, you asked us to delete your account. Our card provider did not cancel the renewal of your membership, so we kept your account: otherwise you would still be charged.`,
        },
        { kind: 'button', label: 'Try again', url: accountUrl },
        { kind: 'note', text: `If it fails again, write to ${association.email} and we will do it for you.` },
      ],
    },
    association,
  )
}
