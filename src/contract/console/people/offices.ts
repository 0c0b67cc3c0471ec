import { ROLES, type Role } from '#contract/access.ts'

/** "President Elect", "Chair-Elect", "Incoming Chair": who will hold the office named in it. */
const NEXT = /^(?:incoming\s+(?<before>.+)|(?<after>.+?)[\s-]+elect)$/i
/** "Past President", "Immediate Past Chair", "Former Chair": who held it. */
const FORMER = /^(?:immediate\s+)?(?:past|former)\s+(?<office>.+)$/i

const USUAL_HEAD = 'President'
/** Offices that never lead. */
const DEPUTY = /^(?:vice|deputy|assistant)\b/i

/**
 * The office of an executive committee whose holder leads the association: the one that others of its offices are named after, as in "Chair Elect" and
 * "Past Chair"; otherwise "President", otherwise the first that is neither a deputy's nor that of a console role, such as Treasurer. "President" if there is none.
 */
export function headOffice(offices: readonly string[]): string {
  const named = offices.flatMap((office) => nextOf(office) ?? formerOf(office) ?? [])
  const isHead = (office: string) => named.some((name) => same(name, office))
  return (
    offices.find(isHead) ?? offices.find((office) => same(office, USUAL_HEAD)) ?? offices.find(mayLead) ?? USUAL_HEAD
  )
}

/** The office whose holder moves up to `office` without an election: of the head the elect, of the past head the head. null for elected offices. */
export function movesUpTo(office: string, offices: readonly string[]): string | null {
  const head = headOffice(offices)
  if (same(office, head)) return offices.find((one) => same(nextOf(one) ?? '', head)) ?? null
  return same(formerOf(office) ?? '', head) ? head : null
}

/** The console role that goes with an office among others, or null. */
export function roleOf(office: string, offices: readonly string[]): Role | null {
  if (office.trim() === '') return null
  if (same(office, headOffice(offices))) return 'president'
  return ROLES.find((role) => role !== 'president' && same(role, office)) ?? null
}

function mayLead(office: string): boolean {
  const isOther = nextOf(office) !== null || formerOf(office) !== null || DEPUTY.test(office.trim())
  return office.trim() !== '' && !isOther && !ROLES.some((role) => same(role, office))
}

function nextOf(office: string): string | null {
  const { before, after } = NEXT.exec(office.trim())?.groups ?? {}
  return before ?? after ?? null
}

function formerOf(office: string): string | null {
  return FORMER.exec(office.trim())?.groups?.['office'] ?? null
}

function same(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
