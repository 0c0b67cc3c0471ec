import { ROLE_NAMES, type Role } from '#contract/access.ts'
import type { Association } from '#contract/association.ts'
import { writeDay } from '#contract/days.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** Somebody was given a role: what it opens, how to get in, and whom to ask. */
export function roleLetter(
  { firstName, role, startsOn, endsOn }: { firstName: string; role: Role; startsOn: string; endsOn: string },
  consoleUrl: string,
  association: Association,
): Letter {
  const name = ROLE_NAMES[role]
  return printLetter(
    {
      subject: `You are ${name.toLowerCase()} of the association`,
      preview: `From ${writeDay(startsOn)}. How to open the officers’ console.`,
      heading: `Welcome aboard, ${firstName}`,
      blocks: [
        { kind: 'text', text: 'You were given a role for a term. It opens the officers’ console of our website.' },
        {
          kind: 'facts',
          facts: [
            ['Role', name],
            ['First day', writeDay(startsOn)],
            ['Last day', writeDay(endsOn)],
          ],
        },
        {
          kind: 'text',
          text: 'Log in with your own password. At the first visit you set up a passkey or an authenticator app on your phone, which takes two minutes. Your password must have at least 12 characters; you can change it on your account page.',
        },
        { kind: 'button', label: 'Open the console', url: consoleUrl },
        { kind: 'note', text: `If you did not expect this, write to ${association.email}.` },
      ],
    },
    association,
  )
}
