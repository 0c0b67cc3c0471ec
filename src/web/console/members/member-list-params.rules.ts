import * as z from 'zod/mini'
import { memberChoice, type MemberChoice } from '#contract/console-members.ts'

/** What the list can show beside the name. */
export const COLUMNS = {
  email: 'Email',
  username: 'Username',
  level: 'Level',
  state: 'Status',
  ends: 'Renews or ends',
  joined: 'Joined',
  credentials: 'Credentials',
} as const
export type Column = keyof typeof COLUMNS

const SHOWN: readonly Column[] = ['email', 'level', 'state', 'ends']

/** The choice an address stands for; what is unreadable in it is left out, so that an old link still opens. */
export function readChoice(params: URLSearchParams): MemberChoice {
  const given: Record<string, string> = {}
  for (const [name, value] of params) {
    if (value !== '' && z.safeParse(memberChoice, { [name]: value }).success) given[name] = value
  }
  const read = z.safeParse(memberChoice, given)
  return read.success ? read.data : {}
}

/** Which columns an address asks for, in the order of the table. */
export function readColumns(params: URLSearchParams): Column[] {
  const asked = params.get('columns')?.split(',')
  const all = Object.keys(COLUMNS) as Column[]
  return all.filter((column) => (asked ?? SHOWN).includes(column))
}

/** Pages begin with 1. */
export function readPage(params: URLSearchParams): number {
  return Math.max(1, Math.trunc(Number(params.get('page'))) || 1)
}

/** The address with something changed: null and '' take a part away, and whatever changes begins at the first page. */
export function changed(params: URLSearchParams, change: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(params)
  if (!('page' in change)) next.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}
