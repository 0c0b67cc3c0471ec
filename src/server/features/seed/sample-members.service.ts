import { addDays } from '#contract/dates/days.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { createAccount, disableAccount } from '#server/features/accounts/account.commands.ts'
import type { Account } from '#server/features/accounts/account.queries.ts'
import { recordConsent } from '#server/features/accounts/consent.commands.ts'
import { decideCredential, insertCredential, saveQuestion } from '#server/features/credentials/credential.commands.ts'
import { levelsByKey, type Level } from '#server/features/levels/level.queries.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { insertComplimentaryTerm } from '#server/features/memberships/payments/complimentary.commands.ts'
import { insertDecision, setDeceased } from '#server/features/person-state/person-state.commands.ts'
import { closeAccount, recordAccountEnd } from '#server/features/my-account/deletion/deletion.commands.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import { firstTerm } from '#server/features/officers/officer.rules.ts'
import { seedPayments } from './sample-payments.service.ts'
import { sampleMembership, sampleNpi, sampleTimes, sampleUsername, type SampleTimes } from './sample-members.rules.ts'
import type { MoreSampleFiles, SamplePerson, SampleStatus } from './samples.schema.ts'

const DAY_MS = 86_400_000
const TRAINING_AHEAD_DAYS = 500
const ACTIVE: readonly SampleStatus[] = ['renewing', 'manual', 'stopping', 'lifetime', 'complimentary']

/** A sample person while being inserted. */
export interface SampleMember {
  person: SamplePerson
  index: number
  account: Account
  level: Level
  times: SampleTimes
}

interface Seeding {
  passwordHash: string
  /** The account of the officer who decided, granted and ended. */
  officerId: string
  now: number
  timeZone: string
}

/**
 * Inserts the members in `more/`, and returns the active ones. The card provider does not know their subscriptions, so that seeding does not wait for it: they keep the state they have here.
 * @throws Error for an unknown level
 */
export async function seedMembers(
  tx: Tx,
  members: MoreSampleFiles['members'],
  seeding: Seeding,
): Promise<SampleMember[]> {
  const active: SampleMember[] = []
  const levels = await levelsByKey(tx)
  const people = Object.entries(members).flatMap(([status, group]) =>
    group.map((person) => ({ status: status as SampleStatus, person })),
  )
  for (const [index, { status, person }] of people.entries()) {
    const level = levels.get(person.level)
    if (!level) throw new Error(`The sample member ${person.name} has an unknown level: ${person.level}`)
    const times = sampleTimes(person, index, seeding.now)
    const account = await seedAccount(tx, person, times, seeding)
    if (!account) continue
    const member = { person, index, account, level, times }
    await seedPayments(tx, member, seeding)
    if (status !== 'staff') await seedMembership(tx, status, member, seeding)
    await seedCredential(tx, member, seeding)
    await closeIfGone(tx, status, member, seeding)
    if (ACTIVE.includes(status)) active.push(member)
  }
  return active
}

/** Returns null if the address is taken: another instance created it first. */
async function seedAccount(
  tx: Tx,
  { name, role }: SamplePerson,
  { startedAt }: SampleTimes,
  { passwordHash, now, timeZone }: Seeding,
): Promise<Account | null> {
  const [firstName = '', ...rest] = name.split(' ')
  const username = sampleUsername(name)
  const account = await createAccount(
    tx,
    {
      id: newId(startedAt),
      username,
      email: `${username}@example.org`,
      firstName,
      lastName: rest.join(' '),
      passwordHash,
      isOfficer: role !== undefined,
      createdAt: startedAt,
    },
    now,
  )
  if (!account) return null
  await recordConsent(tx, { personId: account.id, kind: 'terms', version: '2026-11-01', givenAt: startedAt }, now)
  if (role) {
    const term = { id: newId(now), accountId: account.id, role, ...firstTerm(now, timeZone), givenBy: 'webmaster' }
    await addTerm(tx, term, now)
  }
  return account
}

async function seedMembership(
  tx: Tx,
  status: Exclude<SampleStatus, 'staff'>,
  { person, account, level, times }: SampleMember,
  { officerId, now }: Seeding,
): Promise<void> {
  const state = sampleMembership(status, person, { times, level, now })
  const id = newId(now)
  await insertCurrentMembership(
    tx,
    {
      id,
      accountId: account.id,
      levelKey: level.key,
      kind: level.isRecurring ? 'RECURRING' : 'ONE_TIME',
      startedAt: times.startedAt,
      stripeSubscriptionId: state.stripeStatus === null ? null : `sub_sample_${id}`,
      ...state,
    },
    now,
  )
  if (person.reason === undefined) return
  await insertComplimentaryTerm(tx, {
    id: newId(now),
    accountId: account.id,
    membershipId: id,
    levelKey: level.key,
    endsAt: state.endsAt,
    reason: person.reason,
    givenBy: officerId,
    givenAt: times.startedAt,
  })
}

async function seedCredential(
  tx: Tx,
  { person: { credential }, index, account, level, times }: SampleMember,
  { officerId, now, timeZone }: Seeding,
): Promise<void> {
  const kind = {
    annual_member: 'licence',
    life_member: 'licence',
    medical_student: 'student',
    resident_fellow: 'resident',
  }
  const own = kind[level.key as keyof typeof kind]
  if (!own || credential === 'none') return
  const isTraining = own !== 'licence'
  const isDue = credential === 'due'
  // Approvals are confirmed once a year, so those of older members are recent too.
  const months = isDue && !isTraining ? 13 : index % 10
  const givenAt =
    credential === 'waiting' ? now - ((index % 6) + 1) * DAY_MS : Math.max(times.startedAt, times.at(months))
  const training = {
    kind: own,
    npi: '',
    licenceState: '',
    place: own === 'student' ? 'Ocmulgee College of Medicine, Macon' : 'Savannah Tidewater Medical Center',
    endsOn: addDays(dayOf(now, timeZone), isDue ? -12 : TRAINING_AHEAD_DAYS),
  }
  const licence = { kind: own, npi: sampleNpi(index), licenceState: 'GA', place: null, endsOn: null }
  const id = await insertCredential(tx, account.id, isTraining ? training : licence, givenAt)
  if (credential === 'waiting') return
  if (credential === 'asked') {
    await saveQuestion(tx, id, 'Your license is listed under another name. Which one do you use?', now - 2 * DAY_MS)
    return
  }
  const isDeclined = credential === 'declined'
  const evidence = isTraining ? 'Listed by the program.' : 'NPI registry and Georgia board: active.'
  await decideCredential(tx, id, {
    status: isDeclined ? 'declined' : 'approved',
    decidedBy: officerId,
    evidence: isDeclined ? 'The number belongs to another person. Please check it and send it again.' : evidence,
    evidenceKind: isTraining && !isDeclined ? 'list' : null,
    decidedAt: Math.min(givenAt + 2 * DAY_MS, now),
  })
}

async function closeIfGone(
  tx: Tx,
  status: SampleStatus,
  { person, account, times }: SampleMember,
  { officerId }: Seeding,
): Promise<void> {
  const at = times.at(person.closed)
  if (status === 'disabled') await disableAccount(tx, account.id, at)
  if (status === 'deceased') {
    await setDeceased(tx, account.id, true, at)
    await insertDecision(tx, {
      id: newId(at),
      accountId: account.id,
      state: 'deceased',
      since: new Date(at).toISOString().slice(0, 10),
      sources: ['Obituary in the newspaper', 'The family called'],
      decidedBy: officerId,
      decidedAt: at,
      endedRenewal: 0,
      endedNewsletter: null,
    })
  }
  if (status === 'left' || status === 'ended') await closeAccount(tx, account.id, at)
  if (person.ending) {
    await recordAccountEnd(tx, { accountId: account.id, ending: person.ending, endedBy: officerId, now: at })
  }
}
