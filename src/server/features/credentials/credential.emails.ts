import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { kindOf, nextCredentials, shortened, verifiedText } from '#contract/credentials/credential-kinds.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findCredential } from './credential.queries.ts'

/** The decision about a member's credentials. @param reason shown when they were declined or an approval was revoked */
function credentialDecisionEmail(
  content: {
    firstName: string
    isApproved: boolean
    /** What officers have or have not verified, such as `your license`. */
    what: string
    reason: string | null
  },
  accountUrl: string,
  association: Association,
): Email {
  const { firstName, isApproved, what, reason } = content
  return renderEmail(
    isApproved
      ? {
          subject: 'Your credentials are verified',
          preview: 'Thank you. There is nothing else you need to do.',
          heading: words`Thank you, ${{ firstName }}`,
          blocks: [
            { kind: 'text', text: words`Our officers have verified ${{ what }}. Your account now shows this.` },
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
              text: words`${{ firstName }}, our officers could not verify ${{ what: shortened(what) }}. Your membership is not affected.`,
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
function credentialQuestionEmail(
  {
    firstName,
    question,
    isTrainingOver,
    next,
  }: {
    firstName: string
    question: string
    isTrainingOver: boolean
    /** What someone in practice enters, such as `your license`. */
    next: string
  },
  { accountUrl, levelsUrl }: { accountUrl: string; levelsUrl: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: isTrainingOver ? 'What comes after your training?' : 'A question about your credentials',
      preview: isTrainingOver
        ? 'According to our records, your training has ended. Please tell us what you do now.'
        : 'Our officers have a question about your credentials. Your membership is not affected.',
      heading: words`${{ firstName }}, we have a question`,
      blocks: [
        { kind: 'text', text: question, isFixed: true },
        ...(isTrainingOver
          ? ([
              {
                kind: 'text',
                text: words`If you are in practice now, please add ${{ credentials: next }} on your account page. If you are still in training, please enter its new end date. Your membership continues in the meantime.`,
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

export const sendCredentialDecision = defineEmail({
  kind: 'email.credentials',
  name: 'Decision about credentials',
  samples: (name, association) => {
    const decision = (isApproved: boolean) =>
      credentialDecisionEmail(
        { firstName: name, isApproved, what: `your license, ${name}`, reason: name },
        SAMPLE_URL,
        association,
      )
    return { 'credentials approved': decision(true), 'credentials declined': decision(false) }
  },
  payload: z.object({ accountId: z.string() }),
  subject: 'accountId',
  priority: 'personal',
  async compose({ accountId }, { db, cache, siteUrl, association }: AppContext) {
    const account = await findAccount(db, accountId)
    const credential = account && (await findCredential(db, account.id))
    if (!account || !credential || credential.status === 'waiting') return null
    const { kind, place, status, evidence: reason } = credential
    const what = verifiedText(kindOf(cache.content().credentialKinds, kind), place)
    const content = { firstName: account.firstName, isApproved: status === 'approved', what, reason }
    const email = credentialDecisionEmail(content, `${siteUrl}/auth/account`, await association())
    return { ...email, to: account.email }
  },
})

export const sendCredentialQuestion = defineEmail({
  kind: 'email.credentials_question',
  name: 'Question about credentials',
  samples: (name, association) => {
    const question = (isTrainingOver: boolean) =>
      credentialQuestionEmail(
        { firstName: name, question: name, isTrainingOver, next: `your license, ${name}` },
        { accountUrl: SAMPLE_URL, levelsUrl: SAMPLE_URL },
        association,
      )
    return { 'question about credentials': question(false), 'question about the end of training': question(true) }
  },
  payload: z.object({ accountId: z.string(), credentialId: z.string(), askedAt: z.number() }),
  subject: 'accountId',
  priority: 'reminder',
  purpose: 'reminder',
  async compose(
    { accountId, credentialId, askedAt },
    { db, cache, clock, siteUrl, timeZone, association }: AppContext,
  ) {
    const account = await findAccount(db, accountId)
    const credential = account && (await findCredential(db, account.id))
    // Skip when it was answered, declined, replaced or asked again before sending; a newer question has its own email.
    if (!credential || credential.id !== credentialId || credential.askedAt !== askedAt) return null
    if (account.deactivatedBy !== null || credential.status === 'declined' || credential.answeredAt) return null
    const isTrainingOver = credential.endsOn !== null && credential.endsOn < dayOf(clock.now(), timeZone)
    const next = nextCredentials(cache.content().credentialKinds)
    const content = { firstName: account.firstName, question: credential.question ?? '', isTrainingOver, next }
    const links = { accountUrl: `${siteUrl}/auth/account`, levelsUrl: `${siteUrl}/become-a-member` }
    return { ...credentialQuestionEmail(content, links, await association()), to: account.email }
  },
})
