import { ROLES, type Role } from '#contract/access.ts'
import type {
  PlannedGrant,
  PlannedLeader,
  PlannedSeat,
  RollOver,
  RollOverPlan,
  RollOverStep,
} from '#contract/console-roll-over.ts'

export const STEP_NAMES: Record<RollOverStep, string> = {
  year: 'Year',
  executive: 'Executive Committee',
  boards: 'Boards and committees',
  roles: 'Roles',
  past: 'Past presidents',
  labels: 'Labels',
  overview: 'Overview',
}

export interface Chosen {
  name: string
  /** null: a name without an account. */
  accountId: string | null
}

/** The plan with somebody in an office: what is known of them from another body comes along, and so does the role of the console that belongs to the office. */
export function withSeat(
  plan: RollOverPlan,
  place: number,
  change: Partial<PlannedSeat>,
  known: readonly PlannedLeader[],
): RollOverPlan {
  const executive = plan.executive.map((seat, at) => (at === place ? moved(seat, change, known) : seat))
  const seat = executive[place]
  const role = seat && roleOf(seat.office)
  if (!role || (change.name === undefined && change.accountId === undefined)) return { ...plan, executive }
  const { name, accountId } = seat
  const grants = plan.grants.map((grant) => (grant.role === role ? { ...grant, name, accountId } : grant))
  return { ...plan, executive, grants }
}

function moved(seat: PlannedSeat, change: Partial<PlannedSeat>, known: readonly PlannedLeader[]): PlannedSeat {
  const next = { ...seat, ...change }
  if (change.name === undefined || change.location !== undefined) return next
  const cityOf = (who: string) => known.find(({ name }) => name === who)?.location
  // The city of whoever was there before goes with them; one that was written by hand stays.
  const stays = seat.location === cityOf(seat.name) ? '' : seat.location
  return { ...next, location: cityOf(next.name) ?? stays }
}

/** The role of the console that goes with an office; null for offices that open nothing. */
export function roleOf(office: string): Role | null {
  return ROLES.find((role) => role === office.trim().toLowerCase()) ?? null
}

/** Everybody the site names as a leader now or in the plan, each once. */
export function knownLeaders({ plan, present }: Pick<RollOver, 'plan' | 'present'>): PlannedLeader[] {
  const all = [...present.executive, ...plan.boards.flatMap(({ people }) => people)]
  return all.filter(({ name }, at) => name !== '' && all.findIndex((one) => one.name === name) === at)
}

/** What a chosen member is called: as was written already, where that is the same person. */
export function nameFor(typed: string, { firstName, lastName }: { firstName: string; lastName: string }): string {
  return typed.toLowerCase().includes(lastName.toLowerCase()) ? typed.trim() : `${firstName} ${lastName}`
}

/** Whether a name that is written still means the member who was chosen: another last name is somebody else. */
export function isStill(typed: string, member: { name: string } | undefined): boolean {
  const lastName = member?.name.split(' ').at(-1) ?? ''
  return typed.toLowerCase().includes(lastName.toLowerCase())
}

/** What to look for among the members: a title is no part of a member's name. */
export function searchWords(typed: string): string {
  return typed
    .replaceAll(/\b(dr|prof|mr|mrs|ms)\b\.?/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Another role that begins and ends with the year. */
export function newGrant({ firstDay, plan }: Pick<RollOver, 'firstDay' | 'plan'>): PlannedGrant {
  const startsOn = plan.grants[0]?.startsOn || firstDay
  return { role: 'viewer', name: '', accountId: null, startsOn, endsOn: plan.newLastDay }
}

/** Things of a list as a form gives them: what was not filled in is empty. */
export function leaderFrom(thing: Record<string, unknown>): PlannedLeader {
  return { name: wordsOf(thing['name']), role: wordsOf(thing['role']), location: wordsOf(thing['location']) }
}

export function committeeFrom(thing: Record<string, unknown>): RollOverPlan['committees']['list'][number] {
  const members = Array.isArray(thing['members']) ? thing['members'].map(wordsOf) : []
  return { id: wordsOf(thing['id']), title: wordsOf(thing['title']), blurb: wordsOf(thing['blurb']), members }
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
