import type { ContentField, ContentValue } from '#contract/console/content.ts'
import { BOARDS, TERM_BODIES, type PlannedLeader, type RollOver, type TermBody } from '#contract/console/roll-over.ts'
import { menuLabel } from '#contract/menu.ts'
import type { NamedTerm } from '#server/features/officers/officer.queries.ts'

/** A content record at the time of planning or execution. */
export interface RecordSnapshot {
  kind: string
  id: string
  title: string
  fields: ContentField[]
  /** The published value; null if nothing is published. */
  published: ContentValue | null
  /** It has a draft or a scheduled change. */
  hasUnpublishedChanges: boolean
}

/** The state of the site that a plan is checked against. */
export interface RollOverSnapshot {
  today: string
  records: readonly RecordSnapshot[]
  /** Terms that are not over. */
  terms: readonly NamedTerm[]
  /** Accounts named in the plan that can log in. */
  members: ReadonlyMap<string, { name: string; email: string }>
}

export interface Body {
  body: string
  term: string
  title: string
  lead: string
  members: { name: string; role?: string; location?: string; since?: number }[]
}

export const EXECUTIVE_COMMITTEE = 'executive-committee'

/** What the association calls its bodies: the labels of their entries in the menu, also of hidden ones. */
export function namesOfBodies(records: readonly RecordSnapshot[]): Record<TermBody, string> {
  const menu = recordOf(records, 'menu', 'all')?.published as { pages?: { page: string; label?: string }[] } | null
  const names = TERM_BODIES.map((body) => [body, menuLabel(`/${body}`, menu?.pages ?? [])] as const)
  return Object.fromEntries(names) as Record<TermBody, string>
}

/** Returns the published body of `term` (`there`) and the latest one before it (`former`). */
export function findBodies(
  records: readonly RecordSnapshot[],
  body: string,
  term: string,
): { former: Body | null; there: Body | null } {
  const shown = publishedBodies(records).filter((one) => one.body === body)
  const former = shown.filter((one) => one.term < term).sort((a, b) => (a.term < b.term ? 1 : -1))[0]
  return { former: former ?? null, there: shown.find((one) => one.term === term) ?? null }
}

function publishedBodies(records: readonly RecordSnapshot[]): Body[] {
  return records
    .filter(({ kind }) => kind === 'leaders')
    .flatMap((record) => (record.published ? [record.published as unknown as Body] : []))
}

/** What the site says about a person besides name, office and city. The year of joining counts for the same body only. */
export function detailsOf(records: readonly RecordSnapshot[], body: string, name: string): object {
  const bodies = publishedBodies(records).sort((a, b) => (a.term < b.term ? 1 : -1))
  const inOrder = [...bodies.filter((one) => one.body === body), ...bodies]
  for (const one of inOrder) {
    const {
      name: known,
      role: _role,
      location: _location,
      since,
      ...details
    } = one.members.find((member) => member.name === name) ?? {}
    if (known) return { ...details, ...(one.body === body && since && { since }) }
  }
  return {}
}

export interface Committees {
  term: string
  committees: { id: string; title: string; blurb: string; members: string[]; portrait?: string }[]
}

export function committeesOf(records: readonly RecordSnapshot[]): Committees | null {
  return (recordOf(records, 'committees', 'all')?.published as unknown as Committees | undefined) ?? null
}

export function pastPresidentsOf(records: readonly RecordSnapshot[]): { name: string; year: number }[] {
  const shown = recordOf(records, 'past-presidents', 'all')?.published as
    | { presidents: { name: string; year: number }[] }
    | null
    | undefined
  return shown?.presidents ?? []
}

export function recordOf(records: readonly RecordSnapshot[], kind: string, id: string): RecordSnapshot | undefined {
  return records.find((record) => record.kind === kind && record.id === id)
}

export function leadersOf(body: Body | null): PlannedLeader[] {
  return (body?.members ?? []).map(({ name, role = '', location = '' }) => ({ name, role, location }))
}

/** The current state shown beside the plan in the forms. */
export function describeSnapshot(
  present: RollOverSnapshot,
  { term, lastDay }: { term: string; lastDay: string },
): RollOver['present'] {
  const { former } = findBodies(present.records, EXECUTIVE_COMMITTEE, term)
  return {
    names: namesOfBodies(present.records),
    executive: leadersOf(former),
    executiveTerm: former?.term ?? null,
    boards: BOARDS.flatMap((body) => {
      const found = findBodies(present.records, body, term).former
      return found ? [{ body, title: found.title, term: found.term }] : []
    }),
    committeesTerm: committeesOf(present.records)?.term ?? null,
    terms: termsEndingBy(present.terms, lastDay).map(({ id, firstName, lastName, email, role, startsOn, endsOn }) => ({
      id,
      name: `${firstName} ${lastName}`,
      email,
      role,
      startsOn,
      endsOn,
    })),
  }
}

/** Returns the terms of the ending year; excludes those that begin later. */
export function termsEndingBy(terms: readonly NamedTerm[], lastDay: string): NamedTerm[] {
  return terms.filter(({ endedAt, startsOn }) => endedAt === null && startsOn <= lastDay)
}
