import type { Association } from '#contract/public/association.ts'
import type { CredentialKind } from '#contract/public/credentials.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'

/** The decision about a member's credentials. @param reason shown when they were declined or an approval was revoked */
export function credentialDecisionEmail(
  content: {
    firstName: string
    isApproved: boolean
    kind: CredentialKind
    place: string | null
    reason: string | null
  },
  accountUrl: string,
  association: Association,
): Email {
  const { firstName, isApproved, kind, place, reason } = content
  const what =
    kind === 'licence' ? 'your NPI and your license' : `that you are in training at ${place ?? 'your school'}`
  return renderEmail(
    isApproved
      ? {
          subject: 'Your credentials are verified',
          preview: 'Thank you. There is nothing else you need to do.',
          heading: `Thank you, ${firstName}`,
          blocks: [
            { kind: 'text', text: `Our officers have verified ${what}. Your account now shows this.` },
            { kind: 'button', label: 'Open my account', url: accountUrl },
          ],
        }
      : {
          subject: 'We could not verify your credentials',
          preview: 'Please check them and submit them again. Your membership is not affected.',
          heading: 'Please check your credentials',
          blocks: [
            {
              kind: 'text',
              text: `${firstName}, our officers could not verify ${what.replace('your license', 'license')}. Your membership is not affected.`,
            },
            { kind: 'details', details: [['Reason', reason ?? '']] },
            {
              kind: 'text',
              text: 'Please correct them on your account page, or reply to this email if they are correct.',
            },
            { kind: 'button', label: 'Open my account', url: accountUrl },
          ],
        },
    association,
  )
}

/** A question from an officer, or from the site when a member's training has ended. */
export function credentialQuestionEmail(
  { firstName, question, isTrainingOver }: { firstName: string; question: string; isTrainingOver: boolean },
  { accountUrl, levelsUrl }: { accountUrl: string; levelsUrl: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: isTrainingOver ? 'What comes after your training?' : 'A question about your credentials',
      preview: isTrainingOver
        ? 'According to our records, your training has ended. Please tell us what you do now.'
        : 'Our officers have a question about your credentials. Your membership is not affected.',
      heading: `${firstName}, we have a question`,
      blocks: [
        { kind: 'text', text: question },
        ...(isTrainingOver
          ? ([
              {
                kind: 'text',
                text: 'If you are in practice now, please add your NPI and license on your account page. If you are still in training, please enter its new end date. Your membership continues in the meantime.',
              },
              { kind: 'button', label: 'Open my account', url: accountUrl },
              {
                kind: 'link',
                lead: 'Another membership level may suit you better now. See the levels and what it costs to switch today:',
                label: 'See the levels',
                url: levelsUrl,
              },
            ] as const)
          : ([
              {
                kind: 'text',
                text: 'On your account page you can confirm that they are still correct, or update them. You can also reply to this email. Your membership is not affected.',
              },
              { kind: 'button', label: 'Open my account', url: accountUrl },
            ] as const)),
      ],
    },
    association,
  )
}
