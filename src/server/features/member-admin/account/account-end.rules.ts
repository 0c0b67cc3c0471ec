import type { Ending } from '#contract/console/member-account.ts'
import type { Account } from '#server/features/accounts/account.queries.ts'

/** What ending an account would affect. */
export interface AccountEndPreview {
  name: string
  email: string
  /** Null without an active membership. */
  membership: {
    levelName: string
    /** The day its rights end; null for a lifetime membership. */
    until: string | null
    /** `renews` by card; `owed`: a renewal by card failed; `stops` at the end of the paid term; `none`: no card is charged. */
    card: 'renews' | 'owed' | 'stops' | 'none'
  } | null
  /** Names of current and future roles. */
  roles: readonly string[]
  isSubscriber: boolean
  /** Titles of upcoming events. */
  events: readonly string[]
  /** Addresses of accounts that were merged into this one. */
  mergedAccounts: readonly string[]
}

/** Whether an account would be ended as that of a member who died, without their death being recorded (decision record 63). */
export function isUnrecorded({ deactivatedBy }: Pick<Account, 'deactivatedBy'>, ending: Ending): boolean {
  return ending === 'deceased' && deactivatedBy !== 'deceased'
}

/** The effects of ending the account as sentences, most important first. */
export function describeAccountEnd(ending: Ending, preview: AccountEndPreview): string[] {
  const { name, email, roles, isSubscriber: isReader, events, mergedAccounts } = preview
  return [
    `${name} is signed out everywhere and can no longer log in. This cannot be undone.`,
    ...moneySentences(ending, preview),
    ...(roles.length > 0
      ? [
          `The ${roles.length === 1 ? 'role' : 'roles'} of ${list(roles)} ${roles.length === 1 ? 'ends' : 'end'} at once.`,
        ]
      : []),
    ...(mergedAccounts.length > 0
      ? [
          `The merged ${mergedAccounts.length === 1 ? 'account' : 'accounts'} of ${list(mergedAccounts)} ${mergedAccounts.length === 1 ? 'ends' : 'end'} with it.`,
        ]
      : []),
    isReader
      ? 'The newsletter and all reminders stop at once.'
      : 'Reminders stop at once, and no newsletter goes to the address.',
    ...(events.length > 0
      ? [
          `${name} has an RSVP for ${list(events)}. The seats stay taken until you remove the RSVP under RSVPs; paid seats are refunded there.`,
        ]
      : []),
    'Password, username, devices and second factors are erased. Name and address stay with the payments, as the books require.',
    ending === 'deceased'
      ? `No email goes to ${email}, not even about this.`
      : `A confirmation email goes to ${email}. The address is free for a new registration.`,
  ]
}

function moneySentences(ending: Ending, { membership }: AccountEndPreview): string[] {
  if (membership === null) return ['No membership is active, so no money is involved.']
  const { levelName, until, card } = membership
  if (ending === 'deceased') {
    return [
      ...(card === 'none'
        ? []
        : ['The subscription is canceled at our card provider at once, so the card is never charged again.']),
      `The membership (${levelName}) ends today. Nothing is refunded automatically; a payment can still be refunded under Payments on this page.`,
    ]
  }
  const rest = until === null ? `The lifetime membership (${levelName}) can no longer be used.` : null
  if (card === 'owed')
    return [
      'The renewal that is owed is no longer collected: the subscription ends at once, and nothing more is charged.',
    ]
  if (rest !== null) return [rest, 'Nothing is refunded automatically.']
  return [
    ...(card === 'renews'
      ? ['The membership does not renew: our card provider stops the subscription, and nothing more is charged.']
      : []),
    `The paid membership (${levelName}) ends on ${until}. Nothing is refunded automatically.`,
  ]
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
