import { permissionsOf, type Permission, type Role } from '#contract/access.ts'
import type { PaymentVerdict } from '#contract/console/money/record-payments.ts'
import { errors } from '#contract/errors.ts'

/** The kind of account an officer acts on. */
export const TARGETS = ['member', 'officer', 'president', 'self'] as const
export type Target = (typeof TARGETS)[number]

/** `manager`: allowed only for managers of officers, otherwise refused because it is an officer's account. */
type Cell = 'through' | 'manager' | 'OWN_ACCOUNT' | 'IS_AN_OFFICER' | 'VIEW_OF_OFFICER'

/** An account with the data that actions need: a payment for seats, decided credentials, an ended role. */
export interface Acted {
  id: string
  email: string
  orderId: string
  credentialId: string
  termId: string
}

export interface ActOnOthers {
  /** The endpoint, and the account it acts on. */
  name: string
  permission: Permission
  cells: Record<Target, Cell>
  /** A request with stale data, or about a missing record: even when allowed it changes nothing, where possible. */
  call(on: Acted, other: Acted): { method: string; path: string; body?: unknown }
}

const open = { member: 'through', officer: 'through', president: 'through', self: 'through' } as const
const notForOneself = { ...open, self: 'OWN_ACCOUNT' } as const
const guarded = { member: 'through', officer: 'manager', president: 'manager', self: 'OWN_ACCOUNT' } as const

const member = (on: Acted, rest = '') => `/api/console/members/${on.id}${rest}`
const STALE = { reason: 'Tried', version: 'stale' }
const post = (path: string, body: unknown) => ({ method: 'POST', path, body })

/**
 * Every action of an officer on a person's account, and the decision for each kind of account (decision record 27). Independent of the rule that the
 * site uses, so that a change to only one fails. A new action is one entry here and one line in `officer-acts.rules.ts`.
 */
export const ACTS_ON_OTHERS: readonly ActOnOthers[] = [
  {
    name: 'merge, as the account that stays',
    permission: 'members.change',
    cells: guarded,
    call: (on, other) =>
      post(member(on, `/merge/${other.id}`), { ...STALE, choices: { name: 'kept', email: 'merged' } }),
  },
  {
    name: 'merge, as the account that goes',
    permission: 'members.change',
    cells: guarded,
    call: (on, other) => post(member(other, `/merge/${on.id}`), { ...STALE, choices: { name: 'merged' } }),
  },
  {
    name: 'edit name and username',
    permission: 'members.change',
    cells: { member: 'through', officer: 'manager', president: 'manager', self: 'through' },
    call: (on) => ({
      method: 'PUT',
      path: member(on, '/profile'),
      body: {
        username: 'taken.over',
        firstName: 'Taken',
        lastName: 'Over',
        seen: { username: 'stale', firstName: 'stale', lastName: 'stale' },
      },
    }),
  },
  {
    name: 'enable the account',
    permission: 'members.change',
    cells: guarded,
    call: (on) => post(member(on, '/enable'), {}),
  },
  {
    name: 'ask for another email address',
    permission: 'members.change',
    cells: notForOneself,
    call: (on) =>
      post(member(on, '/email'), { email: 'another@example.com', reason: 'Tried', seen: 'stale@example.com' }),
  },
  {
    name: 'withdraw a change of the email address',
    permission: 'members.change',
    cells: open,
    call: (on) => post(member(on, '/email/withdraw'), {}),
  },
  {
    name: 'end the account',
    permission: 'members.change',
    cells: notForOneself,
    call: (on) => post(member(on, '/end'), { ...STALE, ending: 'deceased' }),
  },
  {
    name: 'cancel a recorded check',
    permission: 'money.change',
    cells: notForOneself,
    call: (on) => post(member(on, '/payments/none/void'), STALE),
  },
  {
    name: 'correct a recorded check',
    permission: 'money.change',
    cells: notForOneself,
    call: (on) =>
      post(member(on, '/payments/none/correct'), {
        ...STALE,
        levelKey: 'life_member',
        method: 'cheque',
        reference: on.id,
        amount: '1000',
        paidOn: '2026-01-02',
      }),
  },
  {
    name: 'add a note',
    permission: 'members.change',
    cells: notForOneself,
    call: (on) => post(member(on, '/notes'), { kind: 'note', text: 'Tried' }),
  },
  {
    name: 'change a note',
    permission: 'members.change',
    cells: notForOneself,
    call: (on) => ({ method: 'PUT', path: member(on, '/notes/none'), body: { text: 'Tried', version: 1 } }),
  },
  {
    name: 'delete a note',
    permission: 'members.change',
    cells: notForOneself,
    call: (on) => ({ method: 'DELETE', path: member(on, '/notes/none') }),
  },
  {
    name: 'restore a note',
    permission: 'members.change',
    cells: notForOneself,
    call: (on) => post(member(on, '/notes/none/restore'), {}),
  },
  {
    name: 'send the link for a new password',
    permission: 'members.change',
    cells: open,
    call: (on) => post(member(on, '/reset-letter'), {}),
  },
  {
    name: 'send an email again',
    permission: 'members.change',
    cells: open,
    call: (on) => post(member(on, '/letters/none/send'), {}),
  },
  {
    name: 'send a receipt again',
    permission: 'members.change',
    cells: open,
    call: (on) => post(member(on, '/payments/none/receipt'), {}),
  },
  {
    name: 'grant a complimentary term',
    permission: 'members.change',
    cells: notForOneself,
    call: (on) => post(member(on, '/term'), { ...STALE, levelKey: 'life_member' }),
  },
  {
    name: 'record a check',
    permission: 'money.change',
    cells: notForOneself,
    // The form's verdict: recording calls the same check (`record-payments.http.test.ts`).
    call: (on) =>
      post('/api/console/payments/check', {
        rows: [
          {
            kind: 'dues',
            email: on.email,
            levelKey: 'life_member',
            reference: on.id,
            amount: '1000',
            paidOn: '2026-01-02',
          },
        ],
      }),
  },
  {
    name: 'stop the renewal',
    permission: 'members.change',
    cells: open,
    call: (on) => post(member(on, '/stop-renewal'), STALE),
  },
  {
    name: 'refund a payment of dues',
    permission: 'money.change',
    cells: notForOneself,
    call: (on) => post(member(on, '/payments/none/refund'), { reason: 'Tried' }),
  },
  {
    name: 'refund seats',
    permission: 'money.change',
    cells: notForOneself,
    call: (on) => post(`/api/console/payments/rsvp/${on.orderId}/refund`, { reason: 'Tried', keepsSeats: true }),
  },
  {
    name: 'refund a part of a payment',
    permission: 'money.change',
    cells: notForOneself,
    call: (on) => post(`/api/console/payments/seats/${on.orderId}/refund`, { ...STALE, amount: 1 }),
  },
  {
    name: 'cancel the record of a payment of any kind',
    permission: 'money.change',
    cells: notForOneself,
    call: (on) => post(`/api/console/payments/seats/${on.orderId}/cancel`, STALE),
  },
  {
    name: 'correct the record of a payment of any kind',
    permission: 'money.change',
    cells: notForOneself,
    call: (on) =>
      post(`/api/console/payments/seats/${on.orderId}/replace`, {
        ...STALE,
        method: 'cheque',
        reference: on.id,
        amount: 1_000,
        paidOn: '2026-01-02',
      }),
  },
  {
    name: 'decide on credentials',
    permission: 'credentials.decide',
    cells: notForOneself,
    call: (on) => post(`/api/console/credentials/${on.credentialId}`, { decision: 'approved', evidence: 'Tried' }),
  },
  {
    name: 'ask about credentials',
    permission: 'credentials.decide',
    cells: notForOneself,
    call: (on) => post(`/api/console/credentials/${on.credentialId}/ask`, { question: 'Is it right?' }),
  },
  {
    name: 'confirm credentials',
    permission: 'credentials.decide',
    cells: notForOneself,
    call: (on) => post(`/api/console/credentials/${on.credentialId}/confirm`, { lookedAt: '2020-01-01T00:00:00.000Z' }),
  },
  {
    name: 'withdraw an approval',
    permission: 'credentials.decide',
    cells: notForOneself,
    call: (on) =>
      post(`/api/console/credentials/${on.credentialId}/withdraw`, {
        lookedAt: '2020-01-01T00:00:00.000Z',
        reason: 'Tried',
      }),
  },
  {
    name: 'view the site as this person',
    permission: 'members.view_as',
    cells: { member: 'through', officer: 'VIEW_OF_OFFICER', president: 'VIEW_OF_OFFICER', self: 'VIEW_OF_OFFICER' },
    call: (on) => post(member(on, '/view-as'), { reason: 'Tried' }),
  },
  {
    // A term in the past: even when allowed it grants nothing.
    name: 'give a role',
    permission: 'officers.change',
    cells: notForOneself,
    call: (on) =>
      post('/api/console/officers', {
        email: on.email,
        role: 'viewer',
        startsOn: '2020-01-01',
        endsOn: '2020-01-02',
      }),
  },
  {
    name: 'end a role',
    permission: 'officers.change',
    cells: open,
    call: (on) => ({ method: 'DELETE', path: `/api/console/officers/${on.termId}` }),
  },
  {
    // Runs last: it closes the member's account.
    name: 'disable the account',
    permission: 'members.change',
    cells: { member: 'through', officer: 'IS_AN_OFFICER', president: 'IS_AN_OFFICER', self: 'IS_AN_OFFICER' },
    call: (on) => post(member(on, '/disable'), { reason: 'Tried' }),
  },
]

const REFUSALS = [
  'NOT_ALLOWED',
  'NOT_AN_OFFICER',
  'OWN_ACCOUNT',
  'OFFICER_ACCOUNT',
  'IS_AN_OFFICER',
  'VIEW_OF_OFFICER',
] as const

/** The error code for a role; null when allowed. */
export function expectedRefusal({ permission, cells }: ActOnOthers, role: Role, target: Target): string | null {
  const permissions = permissionsOf([role])
  if (!permissions.includes(permission)) return 'NOT_ALLOWED'
  const cell = cells[target]
  if (cell === 'through') return null
  if (cell === 'manager') return permissions.includes('officers.change') ? null : 'OFFICER_ACCOUNT'
  return cell
}

/** Whether a response means allowed: the code of a refusal, also in the verdict of a row, or null; any other code is about the data. */
export function refusalIn({ body }: { body: unknown }): string | null {
  const { code, verdicts = [] } = (body ?? {}) as { code?: string; verdicts?: PaymentVerdict[] }
  const faults = verdicts.flatMap((verdict) => verdict.faults.map(({ message }) => message))
  return REFUSALS.find((refusal) => refusal === code || faults.includes(errors[refusal].message)) ?? null
}
