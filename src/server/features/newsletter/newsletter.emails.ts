import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** Asks the owner of an address whether they want the newsletter (docs/product-rules.md#double-opt-in). */
export function confirmationLetter(url: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Please confirm: the newsletter',
      preview: 'One tap and the next letter comes to you.',
      heading: 'Shall we write to you?',
      blocks: [
        {
          kind: 'text',
          text: 'Someone, probably you, asked for our newsletter with this address: events, clinic dates and colleagues’ news, two or three letters a month. Please confirm that you want it.',
        },
        { kind: 'button', label: 'Yes, send me the newsletter', url },
        {
          kind: 'note',
          text: 'The link works for 30 days. If you did not ask for this, do nothing: you will not hear from us again.',
        },
      ],
    },
    association,
  )
}

/** For an address that is on the list: the answer on the page was the same as anyone's. */
export function alreadySubscribedLetter(unsubscribeUrl: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'You are already on our list',
      preview: 'Nothing was changed: the newsletter comes to you.',
      heading: 'You are already on our list',
      blocks: [
        {
          kind: 'text',
          text: 'Someone, probably you, asked for our newsletter with this address. You already get it, so nothing was changed. If it does not reach you, look in your spam folder.',
        },
        { kind: 'link', lead: 'Rather not?', label: 'Leave the newsletter', url: unsubscribeUrl },
      ],
    },
    association,
  )
}

/** After leaving, with the way back for whoever was taken off by somebody else (docs/product-rules.md#unsubscribing). */
export function leftLetter(undoUrl: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'You left our newsletter',
      preview: 'No more newsletters come to this address.',
      heading: 'We will not write again',
      blocks: [
        { kind: 'text', text: 'This address was taken off our newsletter. That is done, and there is nothing to do.' },
        { kind: 'text', text: 'If it was not you, or a mistake, one tap puts you back:' },
        { kind: 'button', label: 'Put me back on the list', url: undoUrl },
      ],
    },
    association,
  )
}
