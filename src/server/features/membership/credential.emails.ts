import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** What officers decided about somebody's credentials. @param reason told when they were declined */
export function credentialLetter(
  { firstName, isApproved, reason }: { firstName: string; isApproved: boolean; reason: string | null },
  accountUrl: string,
  association: Association,
): Letter {
  return printLetter(
    isApproved
      ? {
          subject: 'Your credentials are verified',
          preview: 'Thank you. There is nothing more for you to do.',
          heading: `Thank you, ${firstName}`,
          blocks: [
            {
              kind: 'text',
              text: 'Our officers have verified your NPI and your licence. Your account shows it from now on.',
            },
            { kind: 'button', label: 'Open my account', url: accountUrl },
          ],
        }
      : {
          subject: 'We could not verify your credentials',
          preview: 'Please look at them and send them again. Your membership is not affected.',
          heading: 'Please look at your credentials',
          blocks: [
            {
              kind: 'text',
              text: `${firstName}, our officers could not verify your NPI and licence. Your membership is not affected.`,
            },
            { kind: 'facts', facts: [['What they wrote', reason ?? '']] },
            {
              kind: 'text',
              text: 'Please correct them on your account page, or answer this letter if they are right.',
            },
            { kind: 'button', label: 'Open my account', url: accountUrl },
          ],
        },
    association,
  )
}
