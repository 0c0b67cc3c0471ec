import type { Association } from '#contract/association.ts'
import type { CredentialKind } from '#contract/credentials.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** What officers decided about somebody's credentials. @param reason told when they were declined, or an approval was taken back */
export function credentialLetter(
  words: { firstName: string; isApproved: boolean; kind: CredentialKind; place: string | null; reason: string | null },
  accountUrl: string,
  association: Association,
): Letter {
  const { firstName, isApproved, kind, place, reason } = words
  const what =
    kind === 'licence' ? 'your NPI and your license' : `that you are in training at ${place ?? 'your school'}`
  return printLetter(
    isApproved
      ? {
          subject: 'Your credentials are verified',
          preview: 'Thank you. There is nothing more for you to do.',
          heading: `Thank you, ${firstName}`,
          blocks: [
            { kind: 'text', text: `Our officers have verified ${what}. Your account shows it from now on.` },
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
              text: `${firstName}, our officers could not verify ${what.replace('your license', 'license')}. Your membership is not affected.`,
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

/** Officers ask, or the site does when somebody's training is over. */
export function credentialQuestionLetter(
  { firstName, question, isTrainingOver }: { firstName: string; question: string; isTrainingOver: boolean },
  { accountUrl, levelsUrl }: { accountUrl: string; levelsUrl: string },
  association: Association,
): Letter {
  return printLetter(
    {
      subject: isTrainingOver ? 'What comes after your training?' : 'A question about your credentials',
      preview: isTrainingOver
        ? 'As far as we know, your training is over. Please tell us what you do now.'
        : 'Our officers ask you to look at your credentials. Your membership is not affected.',
      heading: `${firstName}, a question`,
      blocks: [
        { kind: 'text', text: question },
        ...(isTrainingOver
          ? ([
              {
                kind: 'text',
                text: 'If you are in practice now, give us your NPI and license on your account page. If you are still in training, give us its new last day. Your membership goes on meanwhile.',
              },
              { kind: 'button', label: 'Open my account', url: accountUrl },
              {
                kind: 'link',
                lead: 'Another level may fit you better now. What a change costs you today is shown there:',
                label: 'See the levels',
                url: levelsUrl,
              },
            ] as const)
          : ([
              {
                kind: 'text',
                text: 'On your account page you can say that they are still right, or change them. You may also answer this letter. Your membership is not affected.',
              },
              { kind: 'button', label: 'Open my account', url: accountUrl },
            ] as const)),
      ],
    },
    association,
  )
}
