import { permissionsOf, ROLES, type Role } from '#contract/access.ts'
import { endpoints } from '#contract/all-endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { equip } from '#tests/trust/acted-accounts.ts'
import { ACTS_ON_OTHERS, expectedRefusal, refusalIn, TARGETS } from '#tests/trust/officer-actions.ts'
import { inParallel } from '#tests/trust/load.ts'
import { createOfficer, type TrustOfficer } from '#tests/trust/officers.ts'
import { tryPasskeys } from '#tests/trust/passkeys.ts'
import { expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const PERIOD_MS = 30_000
const REFUSED = ['NOT_AN_OFFICER', 'NOT_ALLOWED']

export const row: TrustRow = {
  id: 'T68',
  promise: 'Officers: roles, second factor, audit log',
  gate: true,
  undisturbed: true,
  target:
    'every console call x 6 roles as the table says, on two instances; 0 calls without the second factor; of 50 parallel uses of one code 1 counts, of one passkey response too, and 0 of 50 replays; a passkey for another origin, host, account or session, or a copy of one: 0 of 8 accepted; of 500 guesses at most 10 are checked; an ended role loses access within 1 s everywhere; every action is in the audit log and no entry can be changed; every action on a person’s account x 6 roles x member, officer, president, oneself as decided, on two instances; a merge moves no log-in credentials, ends sessions and links of both, is emailed to both, and undoing it restores none',
  async run({ world: start, count }) {
    const world = await start({ instances: 2, rateLimits: 'on' })
    const faults = new Faults()
    const calls = endpoints.filter(({ access }) => access === 'officer')
    const officers = new Map<Role, TrustOfficer>()
    for (const [turn, role] of ROLES.entries()) officers.set(role, await createOfficer(world, [role], turn))

    const combinations = await walkAuthorization(world, calls, officers, faults)
    const closed = await withoutCode(world, calls, officers, faults)
    const president = officers.get('president') as TrustOfficer
    const taken = await replay(world, president, faults)
    const passkeys = await tryPasskeys(world, faults)
    const looked = await guess(world, officers.get('viewer') as TrustOfficer, count(500, 60), faults)
    const ended = await endRole(world, president, officers.get('editor') as TrustOfficer, faults)
    const entries = await readHistory(president, faults)
    const acts = await walkActs(world, officers, faults)
    await mergeForReal(world, president, faults)
    return {
      passed: faults.count === 0,
      reached: `${combinations} combinations tried (${calls.length} calls x ${ROLES.length} roles x 2 instances); without a code ${closed} refused; one code: ${taken} of 50 counted; one passkey’s answer: ${passkeys.counted} of 50 counted, ${passkeys.replayed} of 50 replayed, ${passkeys.refused} of 8 wrong ones refused; ${looked} guesses looked at; ended role refused after ${Math.round(ended)} ms; ${entries} entries in the history; ${acts} acts on accounts tried (${ACTS_ON_OTHERS.length} acts x ${ROLES.length} roles x ${TARGETS.length} kinds of accounts x 2 instances), a merge without a way in; faults: ${faults}`,
    }
  },
}

/** An empty body and an unknown id: an authorized caller gets a validation error, and nothing happens. */
function knock(visitor: Visitor, { method, path }: Endpoint) {
  const address = path.replaceAll(/:\w+/g, 'unknown')
  return visitor.call(method, address, method === 'GET' || method === 'DELETE' ? undefined : {})
}

async function walkAuthorization(
  world: World,
  calls: readonly Endpoint[],
  officers: Map<Role, TrustOfficer>,
  faults: Faults,
): Promise<number> {
  let tried = 0
  for (const [role, { visitor }] of officers) {
    // Each from its own address: this is not a test of rate limits.
    visitor.address = addressOf(role, 1)
    for (const endpoint of calls) {
      // It creates new recovery codes by design.
      if (endpoint.name === 'renewRecoveryCodes') continue
      const mayEnter = endpoint.permission !== undefined && permissionsOf([role]).includes(endpoint.permission)
      for (const site of world.sites) {
        visitor.site = site
        const { status, body } = await knock(visitor, endpoint)
        const isRefused = REFUSED.includes(String(body?.code))
        faults.expect(isRefused === !mayEnter, `${role} at ${endpoint.name}: ${status}`, String(body?.code))
        faults.expect(status < 500, `${endpoint.name} answered ${status}`)
        tried++
      }
    }
  }
  return tried
}

const addressOf = (role: Role, part: number) => `10.6.${ROLES.indexOf(role)}.${part}`

/** The same people in a session without a second factor. */
async function withoutCode(
  world: World,
  calls: readonly Endpoint[],
  officers: Map<Role, TrustOfficer>,
  faults: Faults,
): Promise<number> {
  let refused = 0
  for (const [role, { email, password }] of officers) {
    const visitor = new Visitor(world, { address: addressOf(role, 2) })
    expectStatus(await visitor.logIn(email, password), 200, 'log-in')
    for (const endpoint of calls) {
      const { status, body } = await knock(visitor, endpoint)
      const isClosed = status === 403 && [...REFUSED, 'SECOND_FACTOR_REQUIRED'].includes(String(body?.code))
      faults.expect(isClosed, `${role} without a code at ${endpoint.name}: ${status}`, String(body?.code))
      if (isClosed) refused++
    }
  }
  return refused
}

/** One code of the next half minute, 50 times in parallel on both instances. */
async function replay(world: World, { visitor, codeAt }: TrustOfficer, faults: Faults): Promise<number> {
  const code = codeAt(Date.now() + PERIOD_MS)
  const responses = await inParallel(
    Array.from({ length: 50 }, (_, turn) => turn),
    50,
    (turn) => {
      const other = new Visitor(world, { site: world.siteOf(turn) })
      other.token = visitor.token
      return other.post('/api/console/second-factor/prove', { code })
    },
  )
  const counted = responses.filter(({ status }) => status === 200).length
  faults.expect(counted === 1, 'one code counted more or less than once', String(counted))
  return counted
}

/** Wrong codes from many addresses: 400 was checked, 429 was not. */
async function guess(world: World, { visitor }: TrustOfficer, guesses: number, faults: Faults): Promise<number> {
  const strict = await inParallel(
    Array.from({ length: guesses }, (_, turn) => turn),
    10,
    (turn) => {
      const other = new Visitor(world, { site: world.siteOf(turn), address: `10.7.${turn >> 8}.${turn & 255}` })
      other.token = visitor.token
      return other.post('/api/console/second-factor/prove', { code: String(turn).padStart(6, '0') })
    },
  )
  const looked = strict.filter(({ status }) => status === 400 || status === 200).length
  // Those already in flight when the tenth failed are not checked either.
  faults.expect(looked <= 20, 'guesses were looked at', String(looked))
  faults.expect(
    strict.every(({ status }) => [400, 429].includes(status)),
    'a guess was answered otherwise',
  )
  return looked
}

/** @returns how long the other instance still allowed access, in milliseconds */
async function endRole(world: World, president: TrustOfficer, editor: TrustOfficer, faults: Faults): Promise<number> {
  const { body } = await president.visitor.get('/api/console/officers')
  const term = (body.terms as { id: string; accountId: string }[]).find(
    ({ accountId }) => accountId === editor.accountId,
  )
  president.visitor.site = world.siteOf(0)
  editor.visitor.site = world.siteOf(1)
  faults.expect((await editor.visitor.get('/api/console/today')).status === 200, 'the editor was not in')
  const response = await president.visitor.call('DELETE', `/api/console/officers/${term?.id}`)
  faults.expect(response.status === 200, `ending answered ${response.status}`, response.text)
  const endedAt = performance.now()
  while (performance.now() - endedAt < 5_000) {
    if ((await editor.visitor.get('/api/console/today')).status === 403) break
  }
  const ms = performance.now() - endedAt
  faults.expect(ms < 1_000, 'an ended role went on', `${Math.round(ms)} ms`)
  return ms
}

/** The actions above are in the audit log, and no call changes it. */
async function readHistory({ visitor, accountId }: TrustOfficer, faults: Faults): Promise<number> {
  const { body } = await visitor.get('/api/console/audit')
  const entries = body.entries as { id: string; action: string; details: Record<string, unknown> }[]
  const ended = entries.find(({ action }) => action === 'role.ended')
  faults.expect(ended !== undefined && 'before' in ended.details, 'the end of a role is not told')
  // Older than the first page.
  const apps = await visitor.get('/api/console/audit?q=set%20up%20an%20authenticator%20app')
  faults.expect(
    (apps.body.entries as typeof entries).filter(({ action }) => action === 'second-factor.confirmed').length ===
      ROLES.length,
    'an app that was set up is not told',
  )
  for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
    for (const path of ['/api/console/audit', `/api/console/audit/${entries[0]?.id}`]) {
      const { status } = await visitor.call(method, path, {})
      faults.expect(status === 405 || status === 404, `${method} ${path} answered ${status}`, accountId)
    }
  }
  return entries.length
}

/** Every action of an officer on a person's account, for every kind of account: allowed as in the table. */
async function walkActs(world: World, officers: Map<Role, TrustOfficer>, faults: Faults): Promise<number> {
  const { db } = world.database
  const [officer, president] = [await createOfficer(world, ['viewer']), await createOfficer(world, ['president'])]
  // The first editor's role was ended above.
  officers.set('editor', await createOfficer(world, ['editor']))
  const equipped = ({ accountId, email }: { accountId: string; email: string }) => equip(db, { id: accountId, email })
  const targets = { officer: await equipped(officer), president: await equipped(president) }
  const other = await equipped(await joinMember(world))
  let tried = 0
  for (const [role, actor] of officers) {
    actor.visitor.address = addressOf(role, 3)
    const all = { ...targets, member: await equipped(await joinMember(world)), self: await equipped(actor) }
    for (const act of ACTS_ON_OTHERS) {
      for (const target of TARGETS) {
        for (const site of world.sites) {
          actor.visitor.site = site
          const { method, path, body } = act.call(all[target], other)
          const response = await actor.visitor.call(method, path, body)
          const [found, expected] = [refusalIn(response), expectedRefusal(act, role, target)]
          faults.expect(found === expected, `${role}, ${act.name}, ${target}: ${found}`, String(expected))
          faults.expect(response.status < 500, `${act.name} answered ${response.status}`)
          tried++
        }
      }
    }
  }
  return tried
}

async function joinMember(world: World) {
  const visitor = new Visitor(world)
  const { email, password } = await visitor.join(newPerson({ levelKey: 'medical_student' }))
  const { id: accountId } = await world.database.db
    .selectFrom('account')
    .select('id')
    .where('emailKey', '=', email)
    .executeTakeFirstOrThrow()
  return { visitor, accountId, email, password }
}

/** With the choices of older releases, which moved the address: neither owner is locked out, and no one else gains access. */
async function mergeForReal(world: World, { visitor }: TrustOfficer, faults: Faults): Promise<void> {
  const [kept, merged] = [await joinMember(world), await joinMember(world)]
  visitor.site = world.siteOf(0)
  const path = `/api/console/members/${kept.accountId}/merge/${merged.accountId}`
  const { version } = (await visitor.get(path)).body
  const choices = { name: 'kept', username: 'merged', email: 'merged' }
  const { body } = await visitor.post(path, { choices, version, reason: 'Joined twice' })
  faults.expect(body.email === kept.email, 'a merge moved the address', JSON.stringify(body))
  const requireSignedOut = async (when: string) => {
    for (const { visitor: owner } of [kept, merged]) {
      for (const site of world.sites) {
        owner.site = site
        const { status } = await owner.get('/api/account/profile')
        faults.expect(status === 401 || status === 403, `${when} a session went on: ${status}`)
      }
    }
  }
  await requireSignedOut('after a merge')
  const logIn = async ({ email, password }: typeof kept) => (await new Visitor(world).logIn(email, password)).status
  faults.expect((await logIn(kept)) === 200, 'the owner of the kept account does not get in')
  faults.expect((await logIn(merged)) === 403, 'the merged account is open')

  const merges = body.merges as { id: string }[]
  const undo = `/api/console/members/${kept.accountId}/merges/${merges[0]?.id}/undo`
  expectStatus(await visitor.post(undo, { reason: 'Two people' }), 200, 'undo')
  await requireSignedOut('after the undoing')
  for (const one of [kept, merged])
    faults.expect((await logIn(one)) === 200, 'an owner does not get in after the undoing')
  await world.quiet()
  for (const { email } of [kept, merged]) {
    const subjects = (await world.mailbox.emailsTo(email)).map(({ subject }) => subject)
    for (const subject of ['Your two accounts were merged', 'Your account is separate again'])
      faults.expect(subjects.includes(subject), `no email "${subject}"`, email)
  }
}
