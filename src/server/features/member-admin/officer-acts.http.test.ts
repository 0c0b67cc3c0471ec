import { beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type Role } from '#contract/access.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import { endpoints } from '#contract/all-endpoints.ts'
import { equip } from '#tests/trust/acted-accounts.ts'
import {
  ACTS_ON_OTHERS,
  expectedRefusal,
  refusalIn,
  TARGETS,
  type Acted,
  type Target,
} from '#tests/trust/officer-actions.ts'
import { useMerging, type Person } from '#tests/support/merging.ts'
import { newOfficer, OFFICER_PASSWORD, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import { OFFICER_ACTS } from '#server/features/officers/officer-acts.rules.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const desk = useMerging(app)

async function officer(role: Role) {
  const made = await newOfficer(app(), [role])
  await recordSecondFactor(app(), made.browser)
  const person: Person = { id: made.accountId, email: made.email, username: '', browser: made.browser }
  return person
}

const OWN = 'Ask another officer to do this for your own account.'

describe('a merge gives no access to another person’s account', () => {
  test('only a president can merge into an account that has a role', async () => {
    const [president, attacker] = [await officer('president'), await desk.join()]
    const answer = await desk.merge(president, attacker, { name: 'kept', username: 'merged', email: 'merged' })
    expect([answer.status, answer.body.code]).toEqual([409, 'OFFICER_ACCOUNT'])
    expect((await app().browser().logIn(president.email, OFFICER_PASSWORD)).status).toBe(200)
  })

  test('the address, username and password of the remaining account never change, whatever is sent', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const answer = await desk.merge(kept, merged, { name: 'kept', username: 'merged', email: 'merged' })
    expect(answer.body).toMatchObject({ email: kept.email, username: kept.username } satisfies Partial<ConsoleMember>)
    expect((await app().browser().logIn(kept.email)).status).toBe(200)
  })

  test('a role assigned or scheduled after the preview blocks the merge', async () => {
    for (const startsOn of ['2020-01-01', '2098-01-01']) {
      const [kept, merged] = [await desk.join(), await desk.join()]
      const { version } = await desk.planOf(kept, merged)
      const term = { id: `t-${kept.id}`, accountId: kept.id, role: 'viewer', startsOn, endsOn: '2099-01-01' } as const
      await addTerm(desk.db(), { ...term, givenBy: 'webmaster' }, app().now())
      const path = `/api/console/members/${kept.id}/merge/${merged.id}`
      const body = { choices: { name: 'kept' }, version, reason: 'Joined twice' }
      expect((await desk.officers.secretary.post(path, body)).body.code).toBe('OFFICER_ACCOUNT')
    }
  })

  test('an officer cannot undo a merge of their own account or of an account that has a role', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    const term = { id: `t-${kept.id}`, accountId: kept.id, role: 'membership' } as const
    const days = { startsOn: '2020-01-01', endsOn: '2099-01-01', givenBy: 'webmaster' }
    await addTerm(desk.db(), { ...term, ...days }, app().now())
    const own = app().browser()
    await own.logIn(kept.email)
    await recordSecondFactor(app(), own)
    const path = `/api/console/members/${kept.id}/merges/${merges[0]?.id}/undo`
    expect((await own.post(path, { reason: 'Mine' })).body.code).toBe('OWN_ACCOUNT')
    expect((await desk.undo(kept.id, merges[0]?.id ?? '')).body.code).toBe('OFFICER_ACCOUNT')
  })

  test.each(['kept', 'merged'])('no officer merges their own account, as the %s one', async (side) => {
    const [mine, other] = [await officer('secretary'), await desk.join()]
    const [kept, merged] = side === 'kept' ? [mine, other] : [other, mine]
    const path = `/api/console/members/${kept.id}/merge/${merged.id}`
    const plan = (await mine.browser.get(path)).body
    expect(plan.obstacles).toContain(OWN)
    const body = { choices: { name: 'kept' }, version: plan.version, reason: 'One person' }
    const answer = await mine.browser.post(path, body)
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([409, 'OWN_ACCOUNT', OWN])
  })
})

describe('no officer gains rights or money alone', () => {
  test('a membership officer cannot grant a lifetime term to their own account; another officer can', async () => {
    const [membership, secretary] = [await officer('membership'), await officer('secretary')]
    const path = `/api/console/members/${membership.id}`
    const { version } = (await membership.browser.get(path)).body
    const term = { levelKey: 'life_member', reason: 'Long service', version }
    const refused = await membership.browser.post(`${path}/term`, term)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([409, 'OWN_ACCOUNT', OWN])
    expect((await secretary.browser.post(`${path}/term`, term)).status).toBe(200)
  })
})

describe('every officer action, on every kind of account', () => {
  const targets = {} as Record<Exclude<Target, 'self'>, Acted>
  let other: Acted

  beforeAll(async () => {
    const { db } = app().database
    const [viewer, president] = [await officer('viewer'), await officer('president')]
    targets.officer = await equip(db, viewer)
    targets.president = await equip(db, president)
    other = await equip(db, await desk.join())
  })

  test.each(ROLES)('%s', async (role) => {
    const { db } = app().database
    const actor = await officer(role)
    const all = { ...targets, member: await equip(db, await desk.join()), self: await equip(db, actor) }
    for (const act of ACTS_ON_OTHERS) {
      for (const target of TARGETS) {
        const { method, path, body } = act.call(all[target], other)
        const answer = await actor.browser.call(method, path, body)
        const expected = expectedRefusal(act, role, target)
        expect([act.name, target, refusalIn(answer)]).toEqual([act.name, target, expected])
        expect(answer.status).toBeLessThan(500)
      }
    }
    const { username } = await db
      .selectFrom('account')
      .select('username')
      .where('id', '=', all.member.id)
      .executeTakeFirstOrThrow()
    expect(username).not.toBe('taken.over')
  })

  test('the table lists every endpoint that names a person, a payment or credentials', () => {
    const unlisted = endpoints
      .filter(({ access, method }) => access === 'officer' && method !== 'GET')
      .filter(({ path }) => /members\/:id|credentials\/:id|payments\/rsvp\/:id|officers/.test(path))
      .map(({ name }) => name)
      .filter((name) => !(name in OFFICER_ACTS))
    expect(unlisted).toEqual([])
  })

  test('each action requires the permission of its endpoint', () => {
    for (const [name, { permission }] of Object.entries(OFFICER_ACTS)) {
      expect([name, endpoints.find((endpoint) => endpoint.name === name)?.permission]).toEqual([name, permission])
    }
  })
})
