import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { SAMPLE_TIME, SAMPLE_TIME_ZONE, SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { Db } from '#server/db/database.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'

/** A change to an officer's second factor. */
export type FactorChange =
  | { kind: 'passkey-added' | 'passkey-removed'; name: string }
  | { kind: 'app-added' | 'app-removed' | 'forgotten' }

const TEXTS: Record<FactorChange['kind'], { subject: string; heading: string; text: string }> = {
  'passkey-added': {
    subject: 'A passkey was added to your account',
    heading: 'A new passkey opens the console',
    text: 'Together with your password, it opens the officers’ console in your name.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account',
    heading: 'A passkey no longer opens the console',
    text: 'Your device may still list it; you can delete it there too.',
  },
  'app-added': {
    subject: 'An authenticator app was added to your account',
    heading: 'An authenticator app opens the console',
    text: 'Together with your password, its codes open the officers’ console in your name.',
  },
  'app-removed': {
    subject: 'Your authenticator app was removed from your account',
    heading: 'Codes from your app no longer open the console',
    text: 'You can delete its entry in the app too.',
  },
  forgotten: {
    subject: 'Your console sign-in was reset',
    heading: 'The webmaster reset your second factor',
    text: 'Your passkeys, authenticator app and recovery codes no longer open the console. Set up new ones at your next visit.',
  },
}

/** To the officer after each change, so that a stolen session cannot silently add another device. */
function factorChangedEmail(
  { firstName, change, at, timeZone }: { firstName: string; change: FactorChange; at: number; timeZone: string },
  accessUrl: string,
  association: Association,
): Email {
  const { subject, heading, text } = TEXTS[change.kind]
  return renderEmail(
    {
      subject,
      preview: 'If this was you, there is nothing to do.',
      heading,
      blocks: [
        { kind: 'text', text: words`Hello ${{ firstName }}. ${{ text }} If this was you, there is nothing to do.` },
        {
          kind: 'details',
          details: [
            ...('name' in change ? [['Passkey', change.name] as [string, string]] : []),
            ['When', formatMoment(at, timeZone)],
          ],
        },
        { kind: 'button', label: 'Review my access', url: accessUrl },
        {
          kind: 'note',
          text: words`If you did not expect this, change your password right away and email ${{ associationEmail: association.email }}.`,
        },
      ],
    },
    association,
  )
}

const change = z.union([
  z.object({ kind: z.enum(['passkey-added', 'passkey-removed']), name: z.string() }),
  z.object({ kind: z.enum(['app-added', 'app-removed', 'forgotten']) }),
])

export const sendFactorChanged = defineEmail({
  kind: 'email.factor_changed',
  name: 'Second factor changed',
  samples: (name, association) => {
    const changes: FactorChange[] = [
      { kind: 'passkey-added', name },
      { kind: 'passkey-removed', name },
      { kind: 'app-added' },
      { kind: 'app-removed' },
      { kind: 'forgotten' },
    ]
    return Object.fromEntries(
      changes.map((change) => [
        `second factor ${change.kind.replace('-', ' ')}`,
        factorChangedEmail(
          { firstName: name, change, at: SAMPLE_TIME, timeZone: SAMPLE_TIME_ZONE },
          SAMPLE_URL,
          association,
        ),
      ]),
    )
  },
  payload: z.object({ accountId: z.string(), change, at: z.number() }),
  subject: 'accountId',
  priority: 'security',
  async compose(
    { accountId, ...given },
    {
      db,
      siteUrl,
      timeZone,
      association,
    }: { db: Db; siteUrl: string; timeZone: string; association(): Promise<Association> },
  ) {
    const account = await findAccount(db, accountId)
    if (!account || account.deactivatedBy !== null) return null
    const details = { firstName: account.firstName, ...given, timeZone }
    return { ...factorChangedEmail(details, `${siteUrl}/console/access`, await association()), to: account.email }
  },
})
