import { createHash } from 'node:crypto'
import type { Roll, RollDetail } from '#contract/console/people/roll.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { expectStatus, type Visitor } from '#tests/trust/people.ts'
import { endByRefund, publish, type Officers } from './officer-actions.ts'
import { download, type Member, type TwoInstances } from './two-instances.ts'

const ROLLS = '/api/console/rolls'
const TIME_ZONE = 'America/New_York'
const LEVEL = 'annual_member'
const LEVELS = [LEVEL, 'medical_student']
const PAGE_SIZE = 100
const FIGURE = { label: 'members on the last roll', value: '815', asOf: '2025-01-01', isFromRoll: true }

/** Who was entitled on a day, by the list of members. */
export interface RecordDay {
  day: string
  ids: string[]
  /** Ends the membership after that day. */
  lapsing: Member
}

/** A roll that waits for its seal. */
export interface OpenRoll {
  id: string
  people: number
}

/** The list of members as of now, for a roll of today. Nothing may change on this day afterward. */
export async function readRecordDay(two: TwoInstances, { secretary }: Officers): Promise<RecordDay> {
  const lapsing = await two.join({ levelKey: LEVEL, lastName: 'Lapsington' })
  await two.world.quiet()
  const officer = two.at(two.second, secretary.visitor)
  const query = `status=ACTIVE&level=${LEVELS.join(',')}`
  const members = await readPages<{ id: string }>(officer, `/api/console/members?${query}`, 'members')
  return { day: dayOf(two.now(), TIME_ZONE), ids: members.map(({ id }) => id).toSorted(), lapsing }
}

/** Days later, two officers freeze the roll of that day at once: one roll of who was entitled then, read by those on it. */
export async function checkFreeze(two: TwoInstances, officers: Officers, recordDay: RecordDay): Promise<OpenRoll> {
  const { president, secretary } = officers
  const { day, ids, lapsing } = recordDay
  const late = await two.join({ levelKey: LEVEL, lastName: 'Latecomer' })
  await two.logIn(lapsing)
  await endByRefund(two.at(two.first, president.visitor), lapsing.id)
  const rule = { levels: LEVELS, graceDays: 0, includesLost: true }
  const given = { name: 'Annual meeting', recordDay: day, objectionsUntil: addDays(today(two), 1), rule }
  const frozen = await two.atOnce([president.visitor, secretary.visitor], 4, (session) => session.post(ROLLS, given))
  for (const response of frozen) expectStatus(response, 201, 'freeze')
  const rolls = new Set(frozen.map(({ body }) => (body as Roll).id))
  two.faults.expect(rolls.size === 1, 'rolls frozen at once', String(rolls.size))
  const [id = ''] = rolls
  for (const site of two.world.sites) {
    const officer = two.at(site, secretary.visitor)
    const entries = await readPages<RollDetail['entries'][number]>(officer, `${ROLLS}/${id}?`, 'entries')
    const on = entries.map(({ accountId }) => accountId).toSorted()
    two.faults.expect(on.join() === ids.join(), 'a roll is not the list of its day', `${on.length} of ${ids.length}`)
    two.faults.expect(on.includes(lapsing.id) && !on.includes(late.id), 'who left or came a day later')
  }
  await checkReaders(two, id, { lapsing, late })
  await checkObjection(two, officers, id, late)
  return { id, people: ids.length + 1 }
}

const today = (two: TwoInstances) => dayOf(two.now(), TIME_ZONE)
const readRoll = async (officer: Visitor, id: string) =>
  expectStatus(await officer.get(`${ROLLS}/${id}`), 200, 'roll').body as RollDetail

/** A whole list of the console, page by page. */
async function readPages<T>(officer: Visitor, path: string, list: string): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const { body } = expectStatus(await officer.get(`${path}&size=${PAGE_SIZE}&page=${page}`), 200, list)
    all.push(...(body[list] as T[]))
    if (all.length >= body.total) return all
  }
}

/** Names and levels, for those on it alone. */
async function checkReaders(
  two: TwoInstances,
  id: string,
  { lapsing, late }: { lapsing: Member; late: Member },
): Promise<void> {
  const path = `/api/rolls/${id}`
  for (const site of two.world.sites) {
    const stranger = await two.visitor(site).get(path)
    two.faults.expect(stranger.status === 401, 'a stranger at a roll', String(stranger.status))
    const other = await two.at(site, late.visitor).get(path)
    const isRefused = other.status === 403 && other.body.code === 'ACTIVE_MEMBERSHIP_REQUIRED'
    two.faults.expect(isRefused, 'who is not on a roll', String(other.status))
    const { status, body, text } = await two.at(site, lapsing.visitor).get(path)
    two.faults.expect(status === 200 && body.people.length > 0, 'who is on a roll', String(status))
    two.faults.expect(!text.includes('@'), 'a roll has an email address')
  }
}

/** An objection made at one instance, answered by two officers at once: one answer, one change. */
async function checkObjection(
  two: TwoInstances,
  { president, secretary }: Officers,
  id: string,
  late: Member,
): Promise<void> {
  const text = 'I joined in time.'
  const made = await two.at(two.second, late.visitor).post(`/api/rolls/${id}/objections`, { text })
  expectStatus(made, 200, 'objection')
  const { objections } = await readRoll(two.at(two.first, president.visitor), id)
  two.faults.expect(objections.length === 1, 'objections', String(objections.length))
  const answer = { answer: 'The form came by post.', change: { what: 'add', accountId: late.id } }
  const answered = await two.atOnce([president.visitor, secretary.visitor], 2, (session) =>
    session.post(`${ROLLS}/${id}/objections/${objections[0]?.id}`, answer),
  )
  two.expectOne('answering an objection', answered, [200, 409])
  await two.soon('a person added to a roll', async () => {
    const { rolls } = (await two.at(two.second, late.visitor).get('/api/account/rolls')).body
    return (rolls as { id: string; isOnRoll: boolean }[]).some((roll) => roll.id === id && roll.isOnRoll)
  })
}

/** Sealed by two officers at once: one digest, the same file at both, and the figure on the home page follows. */
export async function checkSeal(two: TwoInstances, officers: Officers, { id, people }: OpenRoll): Promise<void> {
  const { president, secretary } = officers
  await publish(two.at(two.first, president.visitor), 'figures', () => ({ figures: [FIGURE] }))
  const homes = [two.visitor(two.first), two.visitor(two.second)]
  const shows = async (value: string) => {
    const pages = await Promise.all(homes.map((home) => home.get('/')))
    return pages.every(({ text }) => figureIn(text) === value)
  }
  await two.soon('a figure', () => shows(FIGURE.value))
  const path = `${ROLLS}/${id}`
  const sealed = await two.atOnce([president.visitor, secretary.visitor], 4, (session) =>
    session.post(`${path}/seal`, {}),
  )
  two.expectOne('sealing a roll', sealed, [200, 409])
  await two.soon('the figure of a sealed roll', () => shows(String(people)))
  const digest = (sealed.find(({ status }) => status === 200)?.body as Roll | undefined)?.sealed?.digest
  for (const site of two.world.sites) {
    const { bytes } = await download(two.at(site, secretary.visitor), `${path}/roll.csv`)
    two.faults.expect(createHash('sha256').update(bytes).digest('hex') === digest, 'a sealed list has another digest')
    two.faults.expect(!bytes.includes('@'), 'a sealed list has an email address')
    const { roll } = await readRoll(two.at(site, president.visitor), id)
    two.faults.expect(roll.sealed?.digest === digest && roll.people === people, 'the seal at the other instance')
  }
}

/** The value shown with the figure's label on the home page. */
function figureIn(html: string): string | undefined {
  return new RegExp(`<dt>${FIGURE.label}</dt><dd>([^<]*)</dd>`).exec(html)?.[1]
}
