import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** To both addresses, at once: the owner notices a merge that nobody asked for. */
export function accountsMergedLetter(
  { firstName, keptAddress, mergedAddress }: { firstName: string; keptAddress: string; mergedAddress: string },
  loginUrl: string,
  association: Association,
): Letter {
  return printLetter(
    {
      subject: 'Your two accounts were merged',
      preview: `From now on you log in with ${keptAddress}.`,
      heading: `One account from now on, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: 'An officer of the association merged two accounts that seem to be yours. Both were signed out everywhere. Your address and password did not change:',
        },
        {
          kind: 'facts',
          facts: [
            ['Log in with', keptAddress],
            ['Closed', mergedAddress],
          ],
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        {
          kind: 'note',
          text: `If these are not both your accounts, write to ${association.email} right away: the merge can be undone.`,
        },
      ],
    },
    association,
  )
}

/** To both addresses: each is an account of its own again. */
export function accountsSeparatedLetter(
  { firstName, address, needsPassword }: { firstName: string; address: string; needsPassword: boolean },
  { loginUrl, resetUrl }: { loginUrl: string; resetUrl: string },
  association: Association,
): Letter {
  return printLetter(
    {
      subject: 'Your account is separate again',
      preview: `You log in with ${address}.`,
      heading: `Back as it was, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `An officer of the association undid the merge of two accounts. You log in with ${address}. Both accounts were signed out everywhere.`,
        },
        needsPassword
          ? {
              kind: 'text',
              text: 'Password or second factor of this account changed after the merge. To be sure that only you have them, please choose a new password:',
            }
          : { kind: 'text', text: 'Your password is the one you had.' },
        needsPassword
          ? { kind: 'button', label: 'Choose a new password', url: resetUrl }
          : { kind: 'button', label: 'Log in', url: loginUrl },
        { kind: 'note', text: `If you have a question about this, write to ${association.email}.` },
      ],
    },
    association,
  )
}
