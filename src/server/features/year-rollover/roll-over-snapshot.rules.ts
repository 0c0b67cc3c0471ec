import type { ContentField, ContentValue } from '#contract/console-content.ts'
import { BOARDS, type PlannedLeader, type RollOver } from '#contract/console-roll-over.ts'
import type { NamedTerm } from '../console/officer.repository.ts'

/** A record of content as it stands when the year is planned or moved on. */
export interface PresentRecord {
  kind: string
  id: string
  title: string
  fields: ContentField[]
  /** What visitors see; null: nothing. */
  shown: ContentValue | null
  /** Somebody has a draft of it, or has scheduled a change. */
  isWaiting: boolean
}

/** All that a plan is measured by. */
export interface Present {
  today: string
  records: readonly PresentRecord[]
  /** Those that are not over. */
  terms: readonly NamedTerm[]
  /** Of the plan's members those who can log in. */
  members: ReadonlyMap<string, { name: string; email: string }>
}

export interface Body {
  body: string
  term: string
  title: string
  lead: string
  members: { name: string; role?: string; location?: string }[]
}

export const EXECUTIVE = 'executive-committee'

/** A body as visitors see it in a term: of those before `term` the newest, and the one of `term` itself. */
export function bodyAround(
  records: readonly PresentRecord[],
  body: string,
  term: string,
): { former: Body | null; there: Body | null } {
  const shown = records
    .filter(({ kind }) => kind === 'leaders')
    .flatMap((record) => (record.shown ? [record.shown as unknown as Body] : []))
    .filter((one) => one.body === body)
  const former = shown.filter((one) => one.term < term).sort((a, b) => (a.term < b.term ? 1 : -1))[0]
  return { former: former ?? null, there: shown.find((one) => one.term === term) ?? null }
}

export interface Committees {
  term: string
  committees: { id: string; title: string; blurb: string; members: string[] }[]
}

export function committeesOf(records: readonly PresentRecord[]): Committees | null {
  return (recordOf(records, 'committees', 'all')?.shown as unknown as Committees | undefined) ?? null
}

export function pastPresidentsOf(records: readonly PresentRecord[]): { name: string; year: number }[] {
  const shown = recordOf(records, 'past-presidents', 'all')?.shown as
    | { presidents: { name: string; year: number }[] }
    | null
    | undefined
  return shown?.presidents ?? []
}

export function recordOf(records: readonly PresentRecord[], kind: string, id: string): PresentRecord | undefined {
  return records.find((record) => record.kind === kind && record.id === id)
}

export function leadersOf(body: Body | null): PlannedLeader[] {
  return (body?.members ?? []).map(({ name, role = '', location = '' }) => ({ name, role, location }))
}

/** What the forms show beside what is planned. */
export function presentFor(
  present: Present,
  { term, lastDay }: { term: string; lastDay: string },
): RollOver['present'] {
  const { former } = bodyAround(present.records, EXECUTIVE, term)
  return {
    executive: leadersOf(former),
    executiveTerm: former?.term ?? null,
    boards: BOARDS.flatMap((body) => {
      const found = bodyAround(present.records, body, term).former
      return found ? [{ body, title: found.title, term: found.term }] : []
    }),
    committeesTerm: committeesOf(present.records)?.term ?? null,
    terms: endingWith(present.terms, lastDay).map(({ id, firstName, lastName, email, role, startsOn, endsOn }) => ({
      id,
      name: `${firstName} ${lastName}`,
      email,
      role,
      startsOn,
      endsOn,
    })),
  }
}

/** The terms of the year that ends; one that begins later is none of them. */
export function endingWith(terms: readonly NamedTerm[], lastDay: string): NamedTerm[] {
  return terms.filter(({ endedAt, startsOn }) => endedAt === null && startsOn <= lastDay)
}
