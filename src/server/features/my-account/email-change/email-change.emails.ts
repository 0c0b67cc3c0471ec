import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { findAccount, findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { deactivatedEmail } from '#server/features/auth/auth.emails.ts'
import { markTokenSent, startTokenLifetime } from '#server/features/auth/one-time-token.commands.ts'
import { findSubscriberByEmail } from '#server/features/newsletter/subscribers/subscriber.queries.ts'
import { findEmailChange } from './email-change.queries.ts'

/** To the new address; nothing changes until its button is used. */
function emailChangeEmail(firstName: string, url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Please confirm your new email address',
      preview: 'The link works once and expires in 24 hours.',
      heading: words`Is this your new address, ${{ firstName }}?`,
      blocks: [
        {
          kind: 'text',
          text: 'You asked to use this address for your account. Once you confirm it, you log in with it and our emails go here.',
        },
        { kind: 'button', label: 'Use this address', url },
        {
          kind: 'note',
          text: 'The link works once and expires in 24 hours. If you did not request this, ignore this email; nothing will change.',
        },
      ],
    },
    association,
  )
}

/**
 * To the owner of an account whose address another account requested: the page responds the same for every address
 * (docs/product-rules.md#one-account-per-address).
 */
function addressRequestedEmail(firstName: string, loginUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Someone asked to use your email address',
      preview: 'Nothing changed. If this was you, log in with this address.',
      heading: words`This address already has an account, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: 'Someone logged in to another account tried to change its email address to this one. The address belongs to your account, so nothing changed. If this was you, log in to this account:',
        },
        { kind: 'button', label: 'Log in', url: loginUrl },
        { kind: 'note', text: 'If this was not you, ignore this email. We did not reveal that you have an account.' },
      ],
    },
    association,
  )
}

/** To the former address, after the change. */
function emailChangedEmail(firstName: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your email address was changed',
      preview: 'If this was you, there is nothing to do.',
      heading: 'Your email address was changed',
      blocks: [
        {
          kind: 'text',
          text: words`Hello ${{ firstName }}, your account now has another email address, which has been confirmed. You can no longer log in with this one. If this was you, there is nothing to do.`,
        },
        {
          kind: 'text',
          text: words`If it was not you, email ${{ associationEmail: association.email }} right away: someone knows your password. We can restore your account.`,
        },
      ],
    },
    association,
  )
}

/** To the new address, for a change that officers requested; nothing changes until its button is used. */
function emailChangeByOfficersEmail(firstName: string, url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Please confirm your new email address',
      preview: 'The link works once and expires in 3 days.',
      heading: words`Is this your address, ${{ firstName }}?`,
      blocks: [
        {
          kind: 'text',
          text: 'Our office was asked to change the email address of your account to this one. Please confirm it. You will then log in with this address, and our emails will go here.',
        },
        { kind: 'button', label: 'Use this address', url },
        {
          kind: 'text',
          text: 'The next step is to choose a new password: when you confirm, the old one stops working and every device is signed out.',
        },
        {
          kind: 'note',
          text: words`The link works once and expires in 3 days. If this is not your account, ignore this email or email ${{ associationEmail: association.email }}; nothing will change.`,
        },
      ],
    },
    association,
  )
}

/**
 * To the current address, for a change that officers requested. Does not name the new address: the mailbox may belong
 * to a stranger.
 */
function emailChangeWarning(firstName: string, url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your email address is about to change',
      preview: 'If you did not ask our office for this, you can stop it.',
      heading: 'Did you ask our office for this?',
      blocks: [
        {
          kind: 'text',
          text: words`Hello ${{ firstName }}, our office was asked to change the email address of your account. Once the new address is confirmed, you can no longer log in with this one. If you asked for this, there is nothing to do.`,
        },
        { kind: 'button', label: 'This was not me', url },
        {
          kind: 'note',
          text: words`The button opens a page where you can stop the change. It works for 3 days or until the new address is confirmed. You can also email ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

/** To the former address, after a change that officers requested. */
function emailChangedByOfficersEmail(firstName: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Your email address was changed',
      preview: 'If you asked our office for this, there is nothing to do.',
      heading: 'Your email address was changed',
      blocks: [
        {
          kind: 'text',
          text: words`Hello ${{ firstName }}, our office was asked to change the email address of your account, and the new address was confirmed. You can no longer log in with this one. If you asked for this, there is nothing to do.`,
        },
        {
          kind: 'text',
          text: words`If you did not, email ${{ associationEmail: association.email }} right away. We can restore your account.`,
        },
      ],
    },
    association,
  )
}

/** To the officer who requested the change, and to everyone who manages officers. */
function emailChangeStoppedEmail(
  { firstName, member, askedBy }: { firstName: string; member: string; askedBy: string },
  url: string,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: 'A change of email address was stopped',
      preview: 'Someone at the current address says they did not request it.',
      heading: 'The change was stopped',
      blocks: [
        {
          kind: 'text',
          text: words`Hello ${{ firstName }}, someone who reads email at the member’s current address clicked "This was not me". The change was stopped; the account was not changed.`,
        },
        {
          kind: 'details',
          details: [
            ['Member', member],
            ['Requested by', askedBy],
          ],
        },
        { kind: 'button', label: 'Open the member’s page', url },
        {
          kind: 'note',
          text: 'Call the member before you try again: either the current address belongs to someone else, or the request did not come from the member.',
        },
      ],
    },
    association,
  )
}

export const sendEmailChange = defineEmail({
  kind: 'email.email_change',
  name: 'Email change',
  samples: (name, association) => ({
    'email change': emailChangeEmail(name, SAMPLE_URL, association),
    'email change, address in use': addressRequestedEmail(name, SAMPLE_URL, association),
    'email change, by officers': emailChangeByOfficersEmail(name, SAMPLE_URL, association),
  }),
  payload: z.object({ tokenId: z.string() }),
  subject: 'tokenId',
  priority: 'security',
  async compose({ tokenId }, { db, clock, secrets, siteUrl, association }: AppContext) {
    const token = await startTokenLifetime(db, tokenId, clock.now())
    const account = token && (await findAccount(db, token.subjectId))
    const change = account && (await findEmailChange(db, account.id))
    if (!token || !account || !change) return null
    const { email, askedBy } = change
    const owner = await findAccountByEmail(db, email)
    // Taken since the officers requested it: reveal nothing to the new owner.
    if (owner && askedBy !== null) return null
    if (owner) {
      const message = owner.deactivatedBy
        ? deactivatedEmail(owner.firstName, await association())
        : addressRequestedEmail(owner.firstName, `${siteUrl}/auth/login`, await association())
      return { ...message, to: owner.email }
    }
    const compose = askedBy === null ? emailChangeEmail : emailChangeByOfficersEmail
    const url = secretLink(siteUrl, '/auth/confirm-email', { token: secrets.token('email-change', token.id) })
    return {
      ...compose(account.firstName, url, await association()),
      to: email,
      onSent: () => markTokenSent(db, token.id, clock.now()),
    }
  },
})

/** To the current address, for a change that officers requested; skipped if the address bounced. */
export const sendEmailChangeAnnouncement = defineEmail({
  kind: 'email.email_change_announced',
  name: 'Email address about to change',
  samples: (name, association) => ({ 'email change, announced': emailChangeWarning(name, SAMPLE_URL, association) }),
  payload: z.object({ tokenId: z.string() }),
  subject: 'tokenId',
  priority: 'security',
  async compose({ tokenId }, { db, clock, secrets, siteUrl, association }: AppContext) {
    const token = await startTokenLifetime(db, tokenId, clock.now())
    const account = token && (await findAccount(db, token.subjectId))
    if (!token || !account) return null
    if ((await findSubscriberByEmail(db, account.email))?.state === 'bounced') return null
    const url = secretLink(siteUrl, '/auth/stop-email-change', {
      token: secrets.token('email-change-stop', token.id),
    })
    return {
      ...emailChangeWarning(account.firstName, url, await association()),
      to: account.email,
      onSent: () => markTokenSent(db, token.id, clock.now()),
    }
  },
})

export const sendEmailChanged = defineEmail({
  kind: 'email.email_changed',
  name: 'Email changed',
  samples: (name, association) => ({
    'email changed': emailChangedEmail(name, association),
    'email changed, by officers': emailChangedByOfficersEmail(name, association),
  }),
  payload: z.object({ accountId: z.string(), formerEmail: z.string(), byOfficers: z.boolean().optional() }),
  subject: 'accountId',
  recipient: 'formerEmail',
  priority: 'security',
  async compose({ accountId, formerEmail, byOfficers }, { db, association }: AppContext) {
    const account = await findAccount(db, accountId)
    const compose = byOfficers ? emailChangedByOfficersEmail : emailChangedEmail
    return account && { ...compose(account.firstName, await association()), to: formerEmail }
  },
})

export const sendEmailChangeStopped = defineEmail({
  kind: 'email.email_change_stopped',
  name: 'Email change stopped',
  samples: (name, association) => ({
    'email change, stopped': emailChangeStoppedEmail(
      { firstName: name, member: name, askedBy: name },
      SAMPLE_URL,
      association,
    ),
  }),
  payload: z.object({ accountId: z.string(), officerId: z.string(), askedBy: z.string() }),
  subject: 'accountId',
  recipient: 'officerId',
  priority: 'security',
  async compose({ accountId, officerId, askedBy }, { db, siteUrl, association }: AppContext) {
    const account = await findAccount(db, accountId)
    const officer = await findAccount(db, officerId)
    const asker = await findAccount(db, askedBy)
    if (!account || !officer || officer.deactivatedBy !== null) return null
    const details = {
      firstName: officer.firstName,
      member: `${account.firstName} ${account.lastName}`,
      askedBy: asker ? `${asker.firstName} ${asker.lastName}` : 'The webmaster',
    }
    const url = `${siteUrl}/console/members/${account.id}`
    return { ...emailChangeStoppedEmail(details, url, await association()), to: officer.email }
  },
})
