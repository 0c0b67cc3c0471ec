import { headOffice, roleOf } from '#contract/console/people/offices.ts'
import type {
  PlannedGrant,
  PlannedLeader,
  PlannedSeat,
  RollOver,
  RollOverPlan,
  RollOverStep,
} from '#contract/console/roll-over.ts'

const STEP_NAMES: Record<Exclude<RollOverStep, 'executive'>, string> = {
  year: 'Year',
  boards: 'Boards and committees',
  roles: 'Roles',
  past: 'Past presidents',
  labels: 'Labels',
  overview: 'Overview',
}

/** @param present with what the association calls its bodies */
export function stepName(step: RollOverStep, { names }: Pick<RollOver['present'], 'names'>): string {
  return step === 'executive' ? names['executive-committee'] : STEP_NAMES[step]
}

export interface ChosenMember {
  name: string
  /** null: a name without an account. */
  accountId: string | null
}

/** Updates a seat: fills in the leader's known city, and assigns the console role that goes with the office. */
export function withSeat(
  plan: RollOverPlan,
  index: number,
  change: Partial<PlannedSeat>,
  known: readonly PlannedLeader[],
): RollOverPlan {
  const executive = plan.executive.map((seat, at) => (at === index ? updateSeat(seat, change, known) : seat))
  const seat = executive[index]
  const role =
    seat &&
    roleOf(
      seat.office,
      executive.map(({ office }) => office),
    )
  if (!role || (change.name === undefined && change.accountId === undefined)) return { ...plan, executive }
  const { name, accountId } = seat
  const grants = plan.grants.map((grant) => (grant.role === role ? { ...grant, name, accountId } : grant))
  return { ...plan, executive, grants }
}

function updateSeat(seat: PlannedSeat, change: Partial<PlannedSeat>, known: readonly PlannedLeader[]): PlannedSeat {
  const next = { ...seat, ...change }
  if (change.name === undefined || change.location !== undefined) return next
  const cityOf = (who: string) => known.find(({ name }) => name === who)?.location
  // Clears the previous leader's city; keeps one that was entered manually.
  const stays = seat.location === cityOf(seat.name) ? '' : seat.location
  return { ...next, location: cityOf(next.name) ?? stays }
}

/** The outgoing head of the association, as a part of a sentence, such as "president" or "chair". */
export function outgoingOffice({ present, plan }: Pick<RollOver, 'plan' | 'present'>): string {
  const held = present.executive.map(({ role }) => role).filter(Boolean)
  const offices = held.length > 0 ? held : plan.executive.map(({ office }) => office)
  return headOffice(offices).toLowerCase()
}

/** All leaders named on the site or in the plan, without duplicates. */
export function knownLeaders({ plan, present }: Pick<RollOver, 'plan' | 'present'>): PlannedLeader[] {
  const all = [...present.executive, ...plan.boards.flatMap(({ people }) => people)]
  return all.filter(({ name }, at) => name !== '' && all.findIndex((one) => one.name === name) === at)
}

/** The display name of a chosen member: keeps the typed name if it contains the last name. */
export function displayName(typed: string, { firstName, lastName }: { firstName: string; lastName: string }): string {
  return typed.toLowerCase().includes(lastName.toLowerCase()) ? typed.trim() : `${firstName} ${lastName}`
}

/** Whether the typed name still matches the chosen member's last name. */
export function stillMatches(typed: string, member: { name: string } | undefined): boolean {
  const lastName = member?.name.split(' ').at(-1) ?? ''
  return typed.toLowerCase().includes(lastName.toLowerCase())
}

/** The search query for a typed name, without titles. */
export function searchQuery(typed: string): string {
  return typed
    .replaceAll(/\b(dr|prof|mr|mrs|ms)\b\.?/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** A new role grant for the term. */
export function newGrant({ firstDay, plan }: Pick<RollOver, 'firstDay' | 'plan'>): PlannedGrant {
  const startsOn = plan.grants[0]?.startsOn || firstDay
  return { role: 'viewer', name: '', accountId: null, startsOn, endsOn: plan.newLastDay }
}

/** Converts a form's list item; missing fields become empty. */
export function toLeader(thing: Record<string, unknown>): PlannedLeader {
  return { name: textOf(thing['name']), role: textOf(thing['role']), location: textOf(thing['location']) }
}

export function toCommittee(thing: Record<string, unknown>): RollOverPlan['committees']['list'][number] {
  const members = Array.isArray(thing['members']) ? thing['members'].map(textOf) : []
  return { id: textOf(thing['id']), title: textOf(thing['title']), blurb: textOf(thing['blurb']), members }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
