import type { Assertion, RequestOptions } from '#contract/passkeys.ts'
import { inParallel } from './load.ts'
import { makeKeyOfficer, type KeyOfficer } from './officers.ts'
import { expectStatus, Visitor } from './people.ts'
import type { Faults } from './row.ts'
import type { World } from './site.ts'

const AT_ONCE = 50
const FIRST = '/api/console/second-factor/passkey'

export interface PasskeyFindings {
  /** Of 50 uses of one answer at once. */
  counted: number
  /** Of 50 that sent it once more. */
  replayed: number
  refused: number
}

/** What is tried with passkeys: one answer many times, answers made for another site or host, of another account, of a copy. */
export async function tryPasskeys(world: World, faults: Faults): Promise<PasskeyFindings> {
  const [owner, stranger] = [await makeKeyOfficer(world, ['viewer'], 0), await makeKeyOfficer(world, ['viewer'], 1)]
  const session = await logIn(world, owner)
  const credential = owner.device.get(await ask(session))
  const counted = await send(world, session, credential)
  const replayed = await send(world, session, credential)
  faults.expect(counted === 1, 'one answer of a passkey counted more or less than once', String(counted))
  faults.expect(replayed === 0, 'a replayed answer of a passkey counted', String(replayed))

  const closed = await logIn(world, owner)
  const theirs = (await ask(stranger.visitor)).allowCredentials
  const own = await ask(closed)
  const attempts: [string, Assertion][] = [
    ['for another origin', owner.device.get(await ask(closed), { origin: 'https://evil.example' })],
    ['for another host', owner.device.get(await ask(closed), { rpId: 'evil.example' })],
    ['without its owner', owner.device.get(await ask(closed), { unverified: true })],
    ['of a copy that counts behind', owner.device.get(await ask(closed), { counter: 1 })],
    ['of another account', stranger.device.get({ ...own, allowCredentials: theirs }, { userHandle: null })],
    ['to the question of another account', owner.device.get({ ...(await ask(stranger.visitor)), ...only(own) })],
    ['to the question of another session', owner.device.get(await ask(session))],
    ['to no question', owner.device.get({ ...own, challenge: 'bWFkZSB1cA' })],
  ]
  let refused = 0
  for (const [what, answer] of attempts) {
    const { status, body } = await closed.post(`${FIRST}/prove`, { credential: answer })
    const isRefused = [400, 409, 410].includes(status)
    faults.expect(isRefused, `an answer ${what} was taken: ${status}`, String(body?.code))
    if (isRefused) refused++
  }
  const { body } = await closed.get('/api/console/today')
  faults.expect(body?.code === 'SECOND_FACTOR_REQUIRED', 'a refused passkey opened the console', String(body?.code))
  return { counted, replayed, refused }
}

const only = ({ allowCredentials }: RequestOptions) => ({ allowCredentials })

async function logIn(world: World, { email, password }: KeyOfficer): Promise<Visitor> {
  const visitor = new Visitor(world)
  expectStatus(await visitor.logIn(email, password), 200, 'log-in')
  return visitor
}

async function ask(visitor: Visitor): Promise<RequestOptions> {
  return expectStatus(await visitor.post(`${FIRST}/ask`, {}), 200, 'ask').body as RequestOptions
}

/** The same answer from one session, at once over all instances. @returns how many counted */
async function send(world: World, session: Visitor, credential: Assertion): Promise<number> {
  const answers = await inParallel(
    Array.from({ length: AT_ONCE }, (_, turn) => turn),
    AT_ONCE,
    (turn) => {
      const other = new Visitor(world, { site: world.siteOf(turn) })
      other.token = session.token
      return other.post(`${FIRST}/prove`, { credential })
    },
  )
  return answers.filter(({ status }) => status === 200).length
}
