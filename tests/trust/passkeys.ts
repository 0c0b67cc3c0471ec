import type { Assertion, RequestOptions } from '#contract/public/passkeys.ts'
import { inParallel } from './load.ts'
import { createPasskeyOfficer, type PasskeyOfficer } from './officers.ts'
import { expectStatus, Visitor } from './people.ts'
import type { Faults } from './row.ts'
import type { World } from './site.ts'

const AT_ONCE = 50
const FIRST = '/api/console/second-factor/passkey'

export interface PasskeyFindings {
  /** Of 50 parallel uses of one response. */
  counted: number
  /** Of 50 replays. */
  replayed: number
  refused: number
}

/** What is tested with passkeys: one response many times, responses for another site or host, of another account, of a copied passkey. */
export async function tryPasskeys(world: World, faults: Faults): Promise<PasskeyFindings> {
  const [owner, stranger] = [
    await createPasskeyOfficer(world, ['viewer'], 0),
    await createPasskeyOfficer(world, ['viewer'], 1),
  ]
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
  for (const [what, response] of attempts) {
    const { status, body } = await closed.post(`${FIRST}/prove`, { credential: response })
    const isRefused = [400, 409, 410].includes(status)
    faults.expect(isRefused, `an answer ${what} was taken: ${status}`, String(body?.code))
    if (isRefused) refused++
  }
  const { body } = await closed.get('/api/console/today')
  faults.expect(body?.code === 'SECOND_FACTOR_REQUIRED', 'a refused passkey opened the console', String(body?.code))
  return { counted, replayed, refused }
}

const only = ({ allowCredentials }: RequestOptions) => ({ allowCredentials })

async function logIn(world: World, { email, password }: PasskeyOfficer): Promise<Visitor> {
  const visitor = new Visitor(world)
  expectStatus(await visitor.logIn(email, password), 200, 'log-in')
  return visitor
}

async function ask(visitor: Visitor): Promise<RequestOptions> {
  return expectStatus(await visitor.post(`${FIRST}/ask`, {}), 200, 'ask').body as RequestOptions
}

/** Sends the same response from one session, in parallel to all instances. @returns how many were accepted */
async function send(world: World, session: Visitor, credential: Assertion): Promise<number> {
  const responses = await inParallel(
    Array.from({ length: AT_ONCE }, (_, turn) => turn),
    AT_ONCE,
    (turn) => {
      const other = new Visitor(world, { site: world.siteOf(turn) })
      other.token = session.token
      return other.post(`${FIRST}/prove`, { credential })
    },
  )
  return responses.filter(({ status }) => status === 200).length
}
