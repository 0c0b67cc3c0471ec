import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'

/**
 * Link and code for a registration. Names the username, since several registrations may be pending for one address
 * (docs/product-rules.md#usernames).
 */
export function verificationEmail(
  registration: { firstName: string; username: string; levelName: string },
  { url, code }: { url: string; code: string },
  association: Association,
): Email {
  const { firstName, username, levelName } = registration
  return renderEmail(
    {
      subject: `Please verify your email address, ${firstName}`,
      preview: 'One tap and you are almost a member. The link works for 24 hours.',
      heading: `Is this you, ${firstName}?`,
      blocks: [
        {
          kind: 'text',
          text: `You asked to join as ${levelName} with the username ${username}. Please confirm your email address; payment is the last step.`,
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
export function alreadyRegisteredEmail(
  firstName: string,
  { loginUrl, resetUrl }: { loginUrl: string; resetUrl: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'You already have an account',
      preview: 'Someone, probably you, tried to register with this address again.',
      heading: `You already have an account, ${firstName}`,
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
      heading: `Please write to us, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `Your account with this address was deactivated by the association's officers, so it cannot be used or registered again. If you believe this is an error, please write to ${association.email}.`,
        },
      ],
    },
    association,
  )
}

/** For an account that was merged into another one of the same person. */
export function mergedEmail(
  firstName: string,
  { keptAddress, loginUrl }: { keptAddress: string; loginUrl: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'You have one account now',
      preview: `Log in with ${keptAddress}.`,
      heading: `One account for you, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `You had two accounts with us, and we merged them. Everything is now in one account: log in with ${keptAddress}, and use that address if you need a new password.`,
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        { kind: 'note', text: `If ${keptAddress} is not your address, please write to ${association.email}.` },
      ],
    },
    association,
  )
}

export function resetEmail(firstName: string, url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Choose a new password',
      preview: 'The link works once and expires in one hour.',
      heading: `A new password, ${firstName}`,
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

export function passwordChangedEmail(firstName: string, resetUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your password was changed',
      preview: 'If this was you, there is nothing to do.',
      heading: 'Your password was changed',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, the password of your account was just changed and every other device was signed out. If this was you, there is nothing to do.`,
        },
        { kind: 'link', lead: 'If it was not you,', label: 'choose a new password right away', url: resetUrl },
        { kind: 'text', text: `Then write to ${association.email}, so that we can look into it.` },
      ],
    },
    association,
  )
}
