import * as z from 'zod/mini'
import { memberListQuery, type MemberListQuery } from '#contract/console/member-list.ts'

/** The columns besides the name. */
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

/** Reads the filters from the URL; ignores invalid ones, so that old links still work. */
export function readFilters(params: URLSearchParams): MemberListQuery {
  const given: Record<string, string> = {}
  for (const [name, value] of params) {
    if (value !== '' && z.safeParse(memberListQuery, { [name]: value }).success) given[name] = value
  }
  const read = z.safeParse(memberListQuery, given)
  return read.success ? read.data : {}
}

/** Reads the visible columns from the URL, in table order. */
export function readColumns(params: URLSearchParams): Column[] {
  const asked = params.get('columns')?.split(',')
  const all = Object.keys(COLUMNS) as Column[]
  return all.filter((column) => (asked ?? SHOWN).includes(column))
}

/** Pages start at 1. */
export function readPage(params: URLSearchParams): number {
  return Math.max(1, Math.trunc(Number(params.get('page'))) || 1)
}

/** Applies changes to the URL: null and '' remove a parameter; a changed filter returns to the first page. */
export function withParams(params: URLSearchParams, change: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(params)
  if (!('page' in change)) next.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}
