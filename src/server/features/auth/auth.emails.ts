import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'

/** Link and code for a registration; names the username, since several may wait for one address (docs/product-rules.md#usernames). */
export function verificationLetter(
  registration: { firstName: string; username: string; levelName: string },
  { url, code }: { url: string; code: string },
  association: Association,
): Letter {
  const { firstName, username, levelName } = registration
  return printLetter(
    {
      subject: `Please verify your email address, ${firstName}`,
      preview: 'One tap and your membership is nearly there. The link lasts 24 hours.',
      heading: `Is this you, ${firstName}?`,
      blocks: [
        {
          kind: 'text',
          text: `You asked to join as ${levelName} with the username ${username}. Please confirm that this address is yours; choosing how to pay is the last step.`,
        },
        { kind: 'button', label: 'Confirm my address', url },
        {
          kind: 'code',
          lead: 'Or type this code on the page you have open:',
          code: `${code.slice(0, 3)} ${code.slice(3)}`,
        },
        {
          kind: 'note',
          text: 'The link and the code work for 24 hours. If you did not ask for this, do nothing: no account is created.',
        },
      ],
    },
    association,
  )
}

/** For an address that registers again: the answer on the page was the same as anyone's (docs/product-rules.md#one-account-per-address). */
export function alreadyRegisteredLetter(
  firstName: string,
  { loginUrl, resetUrl }: { loginUrl: string; resetUrl: string },
  association: Association,
): Letter {
  return printLetter(
    {
      subject: 'You already have an account',
      preview: 'Someone, probably you, tried to register with this address again.',
      heading: `You are already with us, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: 'Someone, probably you, filled in the registration form with this address. You already have an account, so nothing was changed. Log in with your email address or username:',
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        { kind: 'link', lead: 'Forgot your password?', label: 'Choose a new one', url: resetUrl },
        { kind: 'note', text: 'If this was not you, do nothing: nobody learned that you have an account.' },
      ],
    },
    association,
  )
}

/** For an account that officers deactivated (docs/product-rules.md#usernames). */
export function deactivatedLetter(firstName: string, association: Association): Letter {
  return printLetter(
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

/** For an account that went into another one of the same person. */
export function mergedLetter(
  firstName: string,
  { keptAddress, loginUrl }: { keptAddress: string; loginUrl: string },
  association: Association,
): Letter {
  return printLetter(
    {
      subject: 'You have one account now',
      preview: `Log in with ${keptAddress}.`,
      heading: `One account for you, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `You had two accounts with us, and they were made one. Everything from this address is there now: log in with ${keptAddress}, and use that address to choose a new password too.`,
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        { kind: 'note', text: `If ${keptAddress} is not your address, please write to ${association.email}.` },
      ],
    },
    association,
  )
}

export function resetLetter(firstName: string, url: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Choose a new password',
      preview: 'The link lasts one hour and works once.',
      heading: `A new password, ${firstName}`,
      blocks: [
        { kind: 'text', text: 'You asked for a new password. Choose it on the page behind this button:' },
        { kind: 'button', label: 'Choose a new password', url },
        {
          kind: 'note',
          text: 'The link works once, for one hour, and replaces earlier ones. If you did not ask for it, do nothing: your password stays as it is.',
        },
      ],
    },
    association,
  )
}

export function passwordChangedLetter(firstName: string, resetUrl: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Your password was changed',
      preview: 'If this was you, there is nothing to do.',
      heading: 'Your password was changed',
      blocks: [
        {
          kind: 'text',
          text: `Hello ${firstName}, the password of your account was just changed and every other device was signed out. If this was you, there is nothing to do.`,
        },
        { kind: 'link', lead: 'If it was not you,', label: 'choose a new password at once', url: resetUrl },
        { kind: 'text', text: `Then write to ${association.email}, so that we can look into it.` },
      ],
    },
    association,
  )
}
