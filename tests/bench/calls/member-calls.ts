import type { Call } from './measure-calls.ts'

/** What a member reads in the account. */
export function memberPages(): Call[] {
  const paths = [
    '/api/account/home',
    '/api/account/card',
    '/api/account/profile',
    '/api/account/record',
    '/api/account/record/seen-as/member',
    '/api/account/directory',
    '/api/account/emails',
    '/api/account/credentials',
    '/api/account/devices',
    '/api/account/views',
    '/api/account/roll-call',
    '/api/account/rolls',
    '/api/billing/payments',
    '/api/billing/statements',
    '/api/billing/level-changes',
  ]
  return paths.map((path) => [path, () => path])
}

/** What everyone reads about the members: the public listing, for the people of `listEveryone`. */
export function publicListing(lastNames: readonly string[]): Call[] {
  const page = '/find-a-member'
  return [
    ['public listing', (turn) => `${page}?page=${1 + (turn % 5)}`],
    ['public listing, a last name', (turn) => `${page}?q=${lastNames[turn * 7] ?? ''}`],
    ['public listing, a city', () => `${page}?q=savannah`],
    ['public listing, a name and a city', (turn) => `${page}?q=${lastNames[turn * 7] ?? ''}+macon`],
    ['public listing, nothing that exists', (turn) => `${page}?q=xyzzyq${turn}`],
  ]
}
