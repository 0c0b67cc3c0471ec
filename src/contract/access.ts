/** What officers are, and what each may do in the console: the one table that doors, pages and tests read. */

export const ROLES = ['president', 'secretary', 'treasurer', 'membership', 'editor', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Looking and doing are apart: whoever may change something may also look at it. */
export const PERMISSIONS = [
  /** The console itself, and what needs doing today. */
  'console.look',
  'members.look',
  'members.change',
  /** The site as a member sees it, without changing anything. */
  'members.view_as',
  'credentials.decide',
  'money.look',
  'money.change',
  'content.change',
  'newsletter.send',
  'messages.answer',
  'sponsors.look',
  'sponsors.change',
  'events.run',
  /** Who holds which role. */
  'officers.change',
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
    'messages.answer',
    'events.run',
  ],
  editor: ['console.look', 'content.change', 'newsletter.send', 'events.run'],
  viewer: ['console.look', 'members.look', 'money.look', 'sponsors.look'],
}

/** What somebody with these roles may do, each once. */
export function permissionsOf(roles: readonly Role[]): Permission[] {
  return PERMISSIONS.filter((permission) => roles.some((role) => PERMISSIONS_OF[role].includes(permission)))
}

/** As it is called on a page. */
export const ROLE_NAMES: Record<Role, string> = {
  president: 'President',
  secretary: 'Secretary',
  treasurer: 'Treasurer',
  membership: 'Membership officer',
  editor: 'Editor',
  viewer: 'Viewer',
}

/** What opens the console beside the password; recovery codes are for the day neither is at hand. */
export const WAYS = ['passkey', 'app'] as const
export type Way = (typeof WAYS)[number]

/** Numbers of the second factor that browser and server share. */
export const officerLimits = {
  passwordMin: 12,
  codeDigits: 6,
  recoveryCodes: 10,
  /** More than anybody has devices. */
  passkeys: 10,
  passkeyNameMax: 40,
  /** So long a question to a passkey may be answered, also while somebody looks for the phone. */
  passkeyAnswerMs: 5 * 60_000,
  /** So long a session may use the console after a code or a passkey. */
  provedForMs: 12 * 3_600_000,
  /** So long ago that may be when something sensitive is done. */
  freshForMs: 10 * 60_000,
  /** So long an officer sees the site as a member does. */
  viewForMs: 15 * 60_000,
} as const
