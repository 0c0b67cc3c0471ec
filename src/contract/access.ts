/** Permissions and roles of officers: the single table used by authorization, pages and tests. */

export const ROLES = ['president', 'secretary', 'treasurer', 'membership', 'editor', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Viewing and changing are separate permissions; changing implies viewing. */
export const PERMISSIONS = [
  /** The console itself, and the list of tasks due today. */
  'console.look',
  'members.look',
  'members.change',
  /** Viewing the site as a member, read-only. */
  'members.view_as',
  'credentials.decide',
  'money.look',
  'money.change',
  'content.change',
  'newsletter.send',
  /** News, event announcements and offers to members, without seeing their addresses. */
  'members.email',
  /** Notices to members, by email and by post, and their proofs. */
  'members.notify',
  'messages.answer',
  'sponsors.look',
  'sponsors.change',
  'events.run',
  /** Officers and their roles. */
  'officers.change',
  /** Providers of a new site, and opening it. */
  'site.setup',
  'audit.look',
] as const
export type Permission = (typeof PERMISSIONS)[number]

const PERMISSIONS_OF: Record<Role, readonly Permission[]> = {
  president: PERMISSIONS,
  secretary: [
    'console.look',
    'members.look',
    'members.change',
    'members.view_as',
    'credentials.decide',
    'content.change',
    'newsletter.send',
    'members.email',
    'members.notify',
    'messages.answer',
    'sponsors.look',
    'sponsors.change',
    'events.run',
    'audit.look',
  ],
  treasurer: [
    'console.look',
    'members.look',
    'money.look',
    'money.change',
    'sponsors.look',
    'sponsors.change',
    'audit.look',
  ],
  membership: [
    'console.look',
    'members.look',
    'members.change',
    'members.view_as',
    'credentials.decide',
    'money.look',
    'members.email',
    'members.notify',
    'messages.answer',
    'events.run',
  ],
  editor: ['console.look', 'content.change', 'newsletter.send', 'members.email', 'events.run'],
  viewer: ['console.look', 'members.look', 'money.look', 'sponsors.look'],
}

/** The permissions of these roles, without duplicates. */
export function permissionsOf(roles: readonly Role[]): Permission[] {
  return PERMISSIONS.filter((permission) => roles.some((role) => PERMISSIONS_OF[role].includes(permission)))
}

/** Display names. */
export const ROLE_NAMES: Record<Role, string> = {
  president: 'President',
  secretary: 'Secretary',
  treasurer: 'Treasurer',
  membership: 'Membership officer',
  editor: 'Editor',
  viewer: 'Viewer',
}

/** What each role opens, in a line. */
export const ROLE_PURPOSES: Record<Role, string> = {
  president: 'Everything, including officers and their roles.',
  secretary: 'Members, credentials, emails, inbox, events, content and sponsors. No payments.',
  treasurer: 'Payments, refunds, dues and sponsors. Sees members.',
  membership: 'Members, credentials, emails to members, inbox and events. Sees payments.',
  editor: 'Content, media, newsletter, news for members and events.',
  viewer: 'Sees members, payments and sponsors. Changes nothing.',
}

/** Second factors that open the console; recovery codes are a backup for both. */
export const SECOND_FACTORS = ['passkey', 'app'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]

/** Second factor limits shared by browser and server. */
export const officerLimits = {
  passwordMin: 12,
  codeDigits: 6,
  recoveryCodes: 10,
  /** More than any officer has devices. */
  passkeys: 10,
  passkeyNameMax: 40,
  /** How long a passkey challenge stays valid, including the time to fetch a phone. */
  passkeyAnswerMs: 5 * 60_000,
  /** How long a session may use the console after a code or passkey. */
  provedForMs: 12 * 3_600_000,
  /** How recent the second factor must be for a sensitive action. */
  freshForMs: 10 * 60_000,
  /** How long an officer may view the site as a member. */
  viewForMs: 15 * 60_000,
} as const
