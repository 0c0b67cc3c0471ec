import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import { findMergeTargetEmail } from '#server/features/accounts/account-merge.queries.ts'
import { extendReservation } from '#server/features/accounts/account.commands.ts'
import { findAccount, findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { markTokenSent, startTokenLifetime } from './one-time-token.commands.ts'
import { extendRegistration } from './registration/registration.commands.ts'
import { findRegistration } from './registration/registration.queries.ts'

/**
 * Link and code for a registration. Names the username, since several registrations may be pending for one address
 * (docs/product-rules.md#usernames).
 */
function verificationEmail(
  registration: { firstName: string; username: string; levelName: string },
  { url, code }: { url: string; code: string },
  association: Association,
): Email {
  const { firstName, username, levelName } = registration
  return renderEmail(
    {
      subject: words`Please verify your email address, ${{ firstName }}`,
      preview: 'One tap and you are almost a member. The link works for 24 hours.',
      heading: words`Is this you, ${{ firstName }}?`,
      blocks: [
        {
          kind: 'text',
          text: words`You asked to join as ${{ levelName }} with the username ${{ username }}. Please confirm your email address to continue.`,
        },
        { kind: 'button', label: 'Confirm my address', url },
        {
          kind: 'code',
          lead: 'Or enter this code on the page you have open:',
          code: `${code.slice(0, 3)} ${code.slice(3)}`,
        },
        {
          kind: 'note',
          text: 'The link and the code work for 24 hours. If you did not request this, ignore this email; no account will be created.',
        },
      ],
    },
    association,
  )
}

/**
 * For an address that registers again: the page responds the same for every address
 * (docs/product-rules.md#one-account-per-address).
 */
function alreadyRegisteredEmail(
  firstName: string,
  { loginUrl, resetUrl }: { loginUrl: string; resetUrl: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'You already have an account',
      preview: 'Someone, probably you, tried to register with this address again.',
      heading: words`You already have an account, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: 'Someone, probably you, filled in the registration form with this address. You already have an account, so nothing changed. Log in with your email address or username:',
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        { kind: 'link', lead: 'Forgot your password?', label: 'Choose a new one', url: resetUrl },
        { kind: 'note', text: 'If this was not you, ignore this email. We did not reveal that you have an account.' },
      ],
    },
    association,
  )
}

/** For an account that officers deactivated (docs/product-rules.md#usernames). */
export function deactivatedEmail(firstName: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'About your account',
      preview: 'Your account is not active at the moment.',
      heading: words`Please contact us, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: words`Your account with this address was deactivated by the association's officers, so it cannot be used or registered again. If you believe this is an error, please email ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

/** For an account that was merged into another one of the same person. */
function mergedEmail(
  firstName: string,
  { keptAddress, loginUrl }: { keptAddress: string; loginUrl: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'You have one account now',
      preview: words`Log in with ${{ keptAddress }}.`,
      heading: words`One account for you, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: words`You had two accounts with us, and we merged them. Everything is now in one account: log in with ${{ keptAddress }}, and use that address if you need a new password.`,
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        {
          kind: 'note',
          text: words`If ${{ keptAddress }} is not your address, please email ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

function resetEmail(firstName: string, url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Choose a new password',
      preview: 'The link works once and expires in one hour.',
      heading: words`A new password, ${{ firstName }}`,
      blocks: [
        { kind: 'text', text: 'You asked for a new password. Choose it here:' },
        { kind: 'button', label: 'Choose a new password', url },
        {
          kind: 'note',
          text: 'The link works once, expires in one hour and replaces earlier ones. If you did not request it, ignore this email; your password stays the same.',
        },
      ],
    },
    association,
  )
}

function passwordChangedEmail(firstName: string, resetUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your password was changed',
      preview: 'If this was you, there is nothing to do.',
      heading: 'Your password was changed',
      blocks: [
        {
          kind: 'text',
          text: words`Hello ${{ firstName }}, the password of your account was just changed and every other device was signed out. If this was you, there is nothing to do.`,
        },
        { kind: 'link', lead: 'If it was not you,', label: 'choose a new password right away', url: resetUrl },
        {
          kind: 'text',
          text: words`Then email ${{ associationEmail: association.email }}, so that we can look into it.`,
        },
      ],
    },
    association,
  )
}

/** Composes the email for an address that already has an account; null if it has none. */
async function composeForOwner(email: string, { db, siteUrl, association }: AppContext): Promise<OutgoingEmail | null> {
  const loginUrl = `${siteUrl}/auth/login`
  const account = await findAccountByEmail(db, email)
  if (!account) return null
  const keptAddress = account.deactivatedBy && (await findMergeTargetEmail(db, account.id))
  if (keptAddress) {
    const message = mergedEmail(account.firstName, { keptAddress, loginUrl }, await association())
    return { ...message, to: account.email }
  }
  const links = { loginUrl, resetUrl: `${siteUrl}/reset-password` }
  const message = account.deactivatedBy
    ? deactivatedEmail(account.firstName, await association())
    : alreadyRegisteredEmail(account.firstName, links, await association())
  return { ...message, to: account.email }
}

export const sendVerification = defineEmail({
  kind: 'email.verification',
  name: 'Verification',
  samples: (name, association) => ({
    verification: verificationEmail(
      { firstName: name, username: name, levelName: name },
      { url: SAMPLE_URL, code: '012345' },
      association,
    ),
  }),
  payload: z.object({ tokenId: z.string() }),
  subject: 'tokenId',
  priority: 'security',
  purpose: 'reply',
  async compose({ tokenId }, tools: AppContext) {
    const { db, clock, secrets, siteUrl, association } = tools
    const token = await startTokenLifetime(db, tokenId, clock.now())
    const registration = token && (await findRegistration(db, token.subjectId))
    if (!token || !registration || registration.completedAt !== null) return null
    const ownerEmail = await composeForOwner(registration.email, tools)
    if (ownerEmail) return { ...ownerEmail, wordedAs: sendAlreadyRegistered.kind }
    // Keep the registration and its username for as long as the link works.
    await extendRegistration(db, registration.id, token.expiresAt)
    await extendReservation(db, { ...registration, until: token.expiresAt })
    const query = new URLSearchParams({
      email: registration.email,
      token: secrets.token('verification-link', token.id),
    })
    const level = await findLevel(db, registration.levelKey)
    const email = verificationEmail(
      { ...registration, levelName: level?.name ?? registration.levelKey },
      { url: `${siteUrl}/email-verification?${query}`, code: secrets.sixDigits(token.id) },
      await association(),
    )
    return { ...email, to: registration.email, onSent: () => markTokenSent(db, token.id, clock.now()) }
  },
})

export const sendAlreadyRegistered = defineEmail({
  kind: 'email.already_registered',
  name: 'Already registered',
  samples: (name, association) => ({
    'already registered': alreadyRegisteredEmail(name, { loginUrl: SAMPLE_URL, resetUrl: SAMPLE_URL }, association),
    deactivated: deactivatedEmail(name, association),
    merged: mergedEmail(name, { keptAddress: 'a@b.example', loginUrl: SAMPLE_URL }, association),
  }),
  payload: z.object({ email: z.string() }),
  subject: 'email',
  priority: 'security',
  purpose: 'reply',
  compose: ({ email }, tools: AppContext) => composeForOwner(email, tools),
})

export const sendPasswordReset = defineEmail({
  kind: 'email.password_reset',
  name: 'Password reset',
  samples: (name, association) => ({ reset: resetEmail(name, SAMPLE_URL, association) }),
  payload: z.object({ tokenId: z.string() }),
  subject: 'tokenId',
  priority: 'security',
  async compose({ tokenId }, { db, clock, secrets, siteUrl, association }: AppContext) {
    const token = await startTokenLifetime(db, tokenId, clock.now())
    const account = token && (await findAccount(db, token.subjectId))
    if (!token || !account) return null
    const query = new URLSearchParams({ token: secrets.token('password-reset', token.id), userId: account.id })
    const email = resetEmail(account.firstName, `${siteUrl}/reset-password?${query}`, await association())
    return { ...email, to: account.email, onSent: () => markTokenSent(db, token.id, clock.now()) }
  },
})

export const sendPasswordChanged = defineEmail({
  kind: 'email.password_changed',
  name: 'Password changed',
  samples: (name, association) => ({ 'password changed': passwordChangedEmail(name, SAMPLE_URL, association) }),
  payload: z.object({ accountId: z.string() }),
  subject: 'accountId',
  priority: 'security',
  async compose({ accountId }, { db, siteUrl, association }: AppContext) {
    const account = await findAccount(db, accountId)
    if (!account) return null
    const resetUrl = `${siteUrl}/reset-password`
    return { ...passwordChangedEmail(account.firstName, resetUrl, await association()), to: account.email }
  },
})
