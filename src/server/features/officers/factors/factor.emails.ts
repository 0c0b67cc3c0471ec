import type { Association } from '#contract/association.ts'
import { formatMoment } from '#contract/dates.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** What became of somebody's second factor. */
export type FactorChange =
  | { kind: 'passkey-added' | 'passkey-removed'; name: string }
  | { kind: 'app-added' | 'app-removed' | 'forgotten' }

const WORDS: Record<FactorChange['kind'], { subject: string; heading: string; text: string }> = {
  'passkey-added': {
    subject: 'A passkey was added to your access',
    heading: 'A new passkey opens the console',
    text: 'It opens the officers’ console in your name, together with your password.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your access',
    heading: 'A passkey no longer opens the console',
    text: 'Your device may still list it; you can delete it there too.',
  },
  'app-added': {
    subject: 'An authenticator app was added to your access',
    heading: 'An authenticator app opens the console',
    text: 'Its codes open the officers’ console in your name, together with your password.',
  },
  'app-removed': {
    subject: 'Your authenticator app was removed from your access',
    heading: 'Codes of your app no longer open the console',
    text: 'You can delete its entry in the app too.',
  },
  forgotten: {
    subject: 'Your access to the console begins anew',
    heading: 'The webmaster took your second factor away',
    text: 'Passkeys, authenticator app and recovery codes open the console no longer. At your next visit you set up new ones.',
  },
}

/** To the officer, after each change: whoever got hold of an open session cannot bring a device of their own in silence. */
export function factorLetter(
  { firstName, change, at, timeZone }: { firstName: string; change: FactorChange; at: number; timeZone: string },
  accessUrl: string,
  association: Association,
): Letter {
  const { subject, heading, text } = WORDS[change.kind]
  return printLetter(
    {
      subject,
      preview: 'If this was you, there is nothing to do.',
      heading,
      blocks: [
        { kind: 'text', text: `Hello ${firstName}. ${text} If this was you, there is nothing to do.` },
        {
          kind: 'facts',
          facts: [
            ...('name' in change ? [['Passkey', change.name] as [string, string]] : []),
            ['When', formatMoment(at, timeZone)],
          ],
        },
        { kind: 'button', label: 'Look at my access', url: accessUrl },
        {
          kind: 'note',
          text: `If you did not expect this, change your password at once and write to ${association.email}.`,
        },
      ],
    },
    association,
  )
}
