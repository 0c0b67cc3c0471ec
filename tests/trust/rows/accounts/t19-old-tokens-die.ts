import { inParallel, tally } from '#tests/trust/load.ts'
import { expectStatus, newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { Site, World } from '#tests/trust/site.ts'

const WITHIN_MS = 1_000
const DEVICES = 4
const NEW_PASSWORD = 'a-quieter-veranda'
const PROFILE = '/api/account/profile'

interface Deed {
  name: string
  /** The response to an old token. */
  status: 401 | 403
  /** Resolves with the caller's new token; null when there is none. */
  act(world: World, caller: Visitor, person: Person): Promise<string | null>
}

const Actions: Deed[] = [
  {
    name: 'password change',
    status: 401,
    async act(_world, caller, { password }) {
      const body = { currentPassword: password, newPassword: NEW_PASSWORD }
      return expectStatus(await caller.call('PUT', '/api/account/password', body), 200, 'password').body.token as string
    },
  },
  {
    name: 'reset',
    status: 401,
    async act(world, _caller, { email }) {
      const visitor = new Visitor(world)
      await visitor.forgotPassword(email)
      const link = await world.mailbox.link(email, '/reset-password')
      const body = { ...Object.fromEntries(link.searchParams), newPassword: NEW_PASSWORD }
      expectStatus(await visitor.post('/api/email/reset-password', body), 200, 'reset-password')
      return expectStatus(await visitor.logIn(email, NEW_PASSWORD), 200, 'login').body.token as string
    },
  },
  {
    name: 'deactivation',
    status: 403,
    async act(world, _caller, { email }) {
      await world.database.db
        .updateTable('account')
        .set({ deactivatedBy: 'officer' })
        .where('email', '=', email)
        .execute()
      return null
    },
  },
  {
    name: 'deletion',
    status: 403,
    async act(_world, caller, { password }) {
      expectStatus(await caller.call('DELETE', '/api/account', { password }), 200, 'delete')
      return null
    },
  },
  {
    name: 'sign-out everywhere',
    status: 401,
    async act(_world, caller) {
      return expectStatus(await caller.call('DELETE', '/api/account/devices'), 200, 'devices').body.token as string
    },
  },
]

export const row: TrustRow = {
  id: 'T19',
  promise: 'Old tokens stop working',
  gate: true,
  undisturbed: true,
  target:
    'after password change, reset, deactivation, deletion, sign-out everywhere: 401/403 within 1 s on both instances and after a restart, 100 %; the caller’s new token works',
  async run({ world: start, count }) {
    const world = await start({ instances: 2 })
    const rounds = count(20, 2)
    const faults = new Faults()
    const statuses: number[] = []
    const dead: { name: string; status: number; token: string }[] = []
    const alive: { name: string; token: string }[] = []

    for (const action of Actions) {
      await inParallel(Array.from({ length: rounds }), 4, async (_, round) => {
        const person = newPerson({ levelKey: round % 2 === 0 ? 'medical_student' : 'life_member' })
        const tokens = await signInEverywhere(world, person)
        for (const token of tokens) {
          for (const site of world.sites) {
            faults.expect((await ask(world, site, token)) === 200, `${action.name}: dead before`)
          }
        }
        const caller = new Visitor(world, { site: world.siteOf(round) })
        caller.token = tokens[0] ?? null
        const fresh = await action.act(world, caller, person)
        const doneAt = performance.now()
        for (const token of tokens) {
          for (const site of world.sites) {
            const status = await ask(world, site, token)
            statuses.push(status)
            faults.expect(status === action.status, `${action.name}: alive afterwards`, `${status}`)
          }
          dead.push({ name: action.name, status: action.status, token })
        }
        faults.expect(performance.now() - doneAt <= WITHIN_MS, `${action.name}: not seen within a second`)
        if (fresh) alive.push({ name: action.name, token: fresh })
      })
    }
    for (const { name, token } of alive) {
      for (const site of world.sites)
        faults.expect((await ask(world, site, token)) === 200, `${name}: new token refused`)
    }

    await inParallel(world.sites, 2, async (site) => {
      await site.program.kill()
      await site.start()
    })
    for (const site of world.sites) {
      await inParallel(dead, 8, async ({ name, status, token }) =>
        faults.expect((await ask(world, site, token)) === status, `${name}: alive after a restart`),
      )
      await inParallel(alive, 8, async ({ name, token }) =>
        faults.expect((await ask(world, site, token)) === 200, `${name}: new token refused after a restart`),
      )
    }
    return {
      passed: faults.count === 0,
      reached: `${dead.length} tokens of ${Actions.length * rounds} people, each on 2 instances: ${tally(statuses)}; again after kill and restart; ${alive.length} new tokens work; faults: ${faults}`,
      notes: 'Deactivation by officers is a row in the database here, as their command writes it',
    }
  },
}

/** The tokens of several devices of one person. */
async function signInEverywhere(world: World, person: Person): Promise<string[]> {
  const first = new Visitor(world)
  await first.join(person)
  const tokens = [first.token ?? '']
  while (tokens.length < DEVICES) {
    const device = new Visitor(world, { site: world.siteOf(tokens.length) })
    tokens.push(expectStatus(await device.logIn(person.email, person.password), 200, 'login').body.token as string)
  }
  return tokens
}

async function ask(world: World, site: Site, token: string): Promise<number> {
  const visitor = new Visitor(world, { site })
  visitor.token = token
  return (await visitor.get(PROFILE)).status
}
