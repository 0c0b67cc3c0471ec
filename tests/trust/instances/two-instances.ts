import { until } from '#tests/trust/load.ts'
import type { TrustOfficer } from '#tests/trust/officers.ts'
import { expectStatus, newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import type { Faults } from '#tests/trust/row.ts'
import type { Site, World } from '#tests/trust/site.ts'

const SEEN_WITHIN_MS = 1_000
/** Seldom enough for the limits of what a member reads in a day. */
const LOOK_EVERY_MS = 100

/** A member in a session. */
export interface Member extends Person {
  id: string
  visitor: Visitor
}

/** Two instances of the site on one database: what is changed at one is looked for at the other. */
export class TwoInstances {
  readonly world: World
  readonly faults: Faults
  /** Changes that were looked for at the other instance, and the longest until one was seen there. */
  changes = 0
  slowestMs = 0
  /** Actions at both instances at the same moment, of which one counts. */
  races = 0
  #visitors = 0
  #passedMs = 0

  constructor(world: World, faults: Faults) {
    this.world = world
    this.faults = faults
  }

  get first(): Site {
    return this.world.siteOf(0)
  }

  get second(): Site {
    return this.world.siteOf(1)
  }

  /** A new browser with a network address of its own, so that limits of an address do not count. */
  visitor(site: Site = this.first): Visitor {
    this.#visitors++
    return new Visitor(this.world, { site, address: `198.51.${100 + (this.#visitors >> 8)}.${this.#visitors & 255}` })
  }

  /** The same session at an instance. */
  at(site: Site, { token, address }: Visitor): Visitor {
    const other = new Visitor(this.world, { site, address })
    other.token = token
    return other
  }

  /** Runs the same action in one session or two at the same moment, in turns at both instances. */
  async atOnce<T>(
    sessions: readonly Visitor[],
    times: number,
    act: (session: Visitor, turn: number) => Promise<T>,
  ): Promise<T[]> {
    return Promise.all(
      Array.from({ length: times }, (_, turn) => {
        const session = sessions[turn % sessions.length] as Visitor
        return act(this.at(this.world.siteOf(turn), session), turn)
      }),
    )
  }

  /** Adds a fault unless a look that begins within a second from now sees it. */
  async soon(what: string, look: () => Promise<boolean>): Promise<void> {
    const startedAt = performance.now()
    let lookedAt = startedAt
    const isSeen = await until(
      () => {
        lookedAt = performance.now()
        return look()
      },
      { withinMs: SEEN_WITHIN_MS, everyMs: LOOK_EVERY_MS },
    )
    const ms = lookedAt - startedAt
    const isInTime = isSeen !== null && ms <= SEEN_WITHIN_MS
    this.faults.expect(isInTime, `not seen within a second: ${what}`, `${Math.round(ms)} ms`)
    this.changes++
    if (isInTime) this.slowestMs = Math.max(this.slowestMs, ms)
  }

  async join(given: Partial<Person> = {}, site: Site = this.first): Promise<Member> {
    const visitor = this.visitor(site)
    const person = await visitor.join(newPerson({ levelKey: 'medical_student', ...given }))
    const { id } = await this.world.database.db
      .selectFrom('account')
      .select('id')
      .where('emailKey', '=', person.email)
      .executeTakeFirstOrThrow()
    return { ...person, id, visitor }
  }

  /** The site's clock. */
  now(): number {
    return Date.now() + this.#passedMs
  }

  async pass(ms: number): Promise<void> {
    this.#passedMs += ms
    this.faults.expect(await this.world.pass(ms), 'the outbox was not empty after a time')
  }

  /** A new log-in, for sessions that ended with time. */
  async logIn({ visitor, email, password }: Pick<Member, 'visitor' | 'email' | 'password'>): Promise<void> {
    expectStatus(await visitor.logIn(email, password), 200, 'log-in')
  }

  /** A new log-in with a fresh code. */
  async logInOfficer(officer: TrustOfficer): Promise<void> {
    await this.logIn(officer)
    const code = officer.codeAt(this.now())
    expectStatus(await officer.visitor.post('/api/console/second-factor/prove', { code }), 200, 'code')
  }

  /** Adds a fault unless exactly one of these responses has the status, and the others have the other one. */
  expectOne(what: string, responses: readonly { status: number }[], [won, lost]: readonly [number, number]): void {
    this.races++
    const statuses = responses.map(({ status }) => status)
    const isOne = statuses.filter((status) => status === won).length === 1
    const rest = statuses.filter((status) => status === lost).length
    this.faults.expect(isOne && rest === statuses.length - 1, `${what} at once`, statuses.join(', '))
  }
}

/** A file as bytes. */
export async function download({ site, token }: Visitor, path: string): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(site.origin + path, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}
