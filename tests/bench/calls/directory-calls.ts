import type { Call } from './measure-calls.ts'

/** The searches of members in their directory, for the people of `listEveryone`. */
export function directorySearches(lastNames: readonly string[]): Call[] {
  const nameAt = (turn: number) => lastNames[turn * 7] ?? ''
  const misspelled = (name: string) => name.slice(0, 3) + name.charAt(4) + name.charAt(3) + name.slice(5)
  const searches: [name: string, query: (turn: number) => Record<string, string>][] = [
    ['everyone', () => ({})],
    ['everyone, the last page', () => ({ page: '5' })],
    ['a last name', (turn) => ({ q: nameAt(turn) })],
    ['a name and a city', (turn) => ({ q: `${nameAt(turn)} macon` })],
    ['the beginning of a name', (turn) => ({ q: nameAt(turn).slice(0, 2) })],
    ['a misspelled name', (turn) => ({ q: misspelled(nameAt(turn)) })],
    ['a city', () => ({ q: 'savannah' })],
    ['a misspelled specialty', () => ({ q: 'nephology' })],
    ['two words that many have', () => ({ q: 'cardiology macon' })],
    ['a word that everyone has', () => ({ q: 'clinic' })],
    ['a filter', () => ({ 'field.specialty': 'Cardiology' })],
    ['two filters and a word', () => ({ q: 'athens', 'field.specialty': 'Cardiology', 'field.languages': 'Odia' })],
    ['nothing that exists', (turn) => ({ q: `xyzzyq${turn}` })],
  ]
  return searches.map(([name, query]) => [name, (turn) => `/api/directory?${new URLSearchParams(query(turn))}`])
}
