import { dumpDatabase } from '#tests/support/test-database.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { expectStatus, newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import type { HttpResponse } from '#tests/trust/http.ts'

const AT_ONCE = 50
const HOUR_MS = 3_600_000
const Emails = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const TOKEN_LENGTH = 43

interface Link {
  token: string
  userId: string
}

export const row: TrustRow = {
  id: 'T17',
  promise: 'Reset token',
  gate: true,
  target:
    'reuse, expiry, other userId, older after newer, truncated, 10,000 guesses: rejected alike; exactly 1 success of 50 in parallel; the database stores hashes only',
  async run({ world: start, count, random }) {
    const world = await start()
    const faults = new Faults()
    const sent: string[] = []
    const refusals: HttpResponse[] = []

    const newLink = async (person: Person) => {
      const link = await mailedLink(world, person.email, sent)
      sent.push(link.token)
      return link
    }
    const refuse = async (kind: string, link: Link) => {
      const response = await reset(world, link)
      refusals.push(response)
      faults.expect(response.status === 400 && response.body.code === 'RESET_LINK_INVALID', kind, response.text)
    }

    const [ana, meera] = [await join(world), await join(world)]
    const used = await newLink(ana)
    const atOnce = await inParallel(Array.from({ length: AT_ONCE }), AT_ONCE, () => reset(world, used))
    const successes = atOnce.filter(({ status }) => status === 200).length
    faults.expect(successes === 1, 'not exactly one success', `${successes}`)
    refusals.push(...atOnce.filter(({ status }) => status !== 200))
    await refuse('used again', used)

    const older = await newLink(ana)
    const newer = await newLink(ana)
    await refuse('older after newer', older)
    await refuse('for another account', { ...newer, userId: (await newLink(meera)).userId })
    await refuse('for an unknown account', { ...newer, userId: 'no-such-account' })
    for (const length of [1, 10, TOKEN_LENGTH - 1]) {
      await refuse(`cut to ${length}`, { ...newer, token: newer.token.slice(0, length) })
    }
    await refuse('longer', { ...newer, token: `${newer.token}A` })
    await refuse('another case', { ...newer, token: swapCase(newer.token) })

    const guesses = count(10_000, 500)
    await inParallel(Array.from({ length: guesses }), AT_ONCE, (_, turn) =>
      refuse('guessed', { ...newer, token: turn % 2 === 0 ? guess(random) : near(newer.token, random) }),
    )
    await world.control({ advanceMs: HOUR_MS - 60_000 })
    faults.expect((await reset(world, newer)).status === 200, 'refused a minute before its end')
    const late = await newLink(ana)
    await world.control({ advanceMs: HOUR_MS + 1_000 })
    await refuse('expired', late)

    const shapes = new Set(refusals.map(({ status, text }) => `${status} ${text}`))
    faults.expect(shapes.size === 1, 'refusals differ', [...shapes].join(' <> '))
    const dump = await dumpDatabase(world.database)
    for (const token of sent) faults.expect(!dump.includes(token), 'token in the database')
    return {
      passed: faults.count === 0,
      reached: `${successes} success of ${AT_ONCE} at once; ${refusals.length} refusals (${guesses} guessed), ${shapes.size} kind of answer (${tally(refusals.map(({ status }) => status))}); ${sent.length} tokens looked for in the database; faults: ${faults}`,
    }
  },
}

async function join(world: World): Promise<Person> {
  return new Visitor(world).join(newPerson({ levelKey: 'medical_student' }))
}

/** The link of an email with an unused token. */
async function mailedLink(world: World, email: string, seen: readonly string[]): Promise<Link> {
  expectStatus(await new Visitor(world).forgotPassword(email), 200, 'forgot-password')
  await world.quiet()
  const { searchParams } = await world.mailbox.link(email, '/reset-password')
  const token = searchParams.get('token') ?? ''
  if (seen.includes(token)) throw new Error('No new email came')
  return { token, userId: searchParams.get('userId') ?? '' }
}

function reset(world: World, link: Link): Promise<HttpResponse> {
  return new Visitor(world).post('/api/email/reset-password', { ...link, newPassword: 'a-quieter-veranda' })
}

function guess(random: Random): string {
  return Array.from({ length: TOKEN_LENGTH }, () => random.pick([...Emails])).join('')
}

/** The valid one with one character changed. */
function near(token: string, random: Random): string {
  const at = random.between(0, TOKEN_LENGTH - 1)
  const other = random.pick([...Emails].filter((email) => email !== token[at]))
  return token.slice(0, at) + other + token.slice(at + 1)
}

function swapCase(token: string): string {
  return [...token].map((it) => (it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase())).join('')
}
