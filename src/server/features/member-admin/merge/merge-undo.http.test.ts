import { describe, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console/member.ts'
import {
  findAuthenticator,
  saveAuthenticatorSecret,
  consumeTimeStep,
} from '#server/features/officers/factors/second-factor.repository.ts'
import { openMailbox } from '#tests/support/emails/mailbox.ts'
import { useMerging, type Person } from '#tests/support/merging.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const desk = useMerging(app)

describe('undoing', () => {
  test.each<[string, (kept: Person, merged: Person) => Promise<unknown>, RegExp]>([
    [
      'the membership was extended',
      async (kept) => {
        const { version } = await desk.look(kept.id)
        const term = { levelKey: 'annual_member', endsOn: '2031-01-01', reason: 'Honored', version }
        expect((await desk.officers.secretary.post(`/api/console/members/${kept.id}/term`, term)).status).toBe(200)
      },
      /the membership has changed since/,
    ],
    [
      'the other address subscribed again',
      async (_kept, merged) => desk.subscribeAgain(merged.email),
      /the other address has been used since/,
    ],
    [
      'the RSVP was deleted',
      async (_kept, merged) => desk.db().deleteFrom('rsvp').where('id', '=', `r-${merged.id}`).execute(),
      /an RSVP has changed since/,
    ],
  ])('is rejected with a message when %s, and changes nothing', async (_name, act, sentence) => {
    const [kept, merged] = [await desk.join(), await desk.fullMember()]
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    await act(kept, merged)
    const before = await desk.everything()
    const shown = (await desk.look(merged.id)).merges[0]
    expect(shown?.undoRefused).toMatch(sentence)
    const refused = await desk.undo(merged.id, merges[0]?.id ?? '')
    expect([refused.body.code, refused.body.message]).toEqual(['UNDO_REFUSED', shown?.undoRefused])
    expect((await desk.everything())['account']).toEqual(before['account'])
  })

  test('a name changed since is kept', async () => {
    const [kept, merged] = [await desk.join(), await desk.fullMember()]
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    await desk.db().updateTable('account').set({ firstName: 'Kalavati' }).where('id', '=', kept.id).execute()
    const undone = await desk.undo(kept.id, merges[0]?.id ?? '')
    expect([undone.status, undone.body.name.first]).toEqual([200, 'Kalavati'])
    expect((await app().browser().logIn(kept.email)).status).toBe(200)
  })

  test('resets a password and second factor that changed since, and asks the owner to choose a password', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    const owner = app().browser()
    await owner.logIn(kept.email)
    const passwords = { currentPassword: 'monsoon-in-macon', newPassword: 'known-to-a-stranger' }
    expect((await owner.call('PUT', '/api/account/password', passwords)).status).toBe(200)
    await saveAuthenticatorSecret(desk.db(), { accountId: kept.id, secret: 'of a stranger', now: app().now() })
    await consumeTimeStep(desk.db(), { accountId: kept.id, step: 1, now: app().now() })

    expect((await desk.undo(kept.id, merges[0]?.id ?? '')).status).toBe(200)
    expect((await owner.get('/api/account/profile')).status).toBe(401)
    for (const password of ['monsoon-in-macon', 'known-to-a-stranger'])
      expect((await app().browser().logIn(kept.email, password)).status).toBe(401)
    expect(await findAuthenticator(desk.db(), kept.id)).toBeNull()
    expect((await app().browser().logIn(merged.email)).status).toBe(200)
    await app().drain()
    const email = (await openMailbox(app().standins.url).emailsTo(kept.email)).at(-1)
    expect(email?.text).toContain('/reset-password')
    expect(await desk.breaches()).toEqual([])
  })

  test('of a merge by an older release restores the address to its owner, without the sessions or password of the other account', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    const id = merges[0]?.id ?? ''
    const { changes } = await desk
      .db()
      .selectFrom('accountMerge')
      .select('changes')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const account = (value: string, before: object, after: object) => ({
      table: 'account',
      key: { column: 'id', value },
      before,
      after,
      seen: {},
    })
    // What this release stores, also with the names of the database.
    const disabled = account(merged.id, { deactivated_by: null }, { deactivated_by: 'officer' })
    expect(JSON.parse(changes)).toContainEqual(disabled)
    const address = ({ email }: Person) => ({ email, email_key: email })
    const name = (value: string, before: string, after: string) => ({
      table: 'login_name',
      key: { column: 'name_key', value },
      before: { account_id: before },
      after: { account_id: after },
      seen: {},
    })
    const sessions = await desk.db().selectFrom('session').select('id').where('accountId', '=', merged.id).execute()
    const older = [
      ...(JSON.parse(changes) as object[]),
      account(kept.id, address(kept), address(merged)),
      account(merged.id, { ...address(merged), token_version: 1 }, { ...address(kept), token_version: 2 }),
      name(kept.email, kept.id, merged.id),
      name(merged.email, merged.id, kept.id),
      ...sessions.map((session) => ({
        table: 'session',
        key: { column: 'id', value: session.id },
        before: { revoked_at: null },
        after: { revoked_at: 1 },
        seen: {},
      })),
    ]
    const swap = async (one: Person, other: Person) => {
      await desk.db().updateTable('account').set(address(other)).where('id', '=', one.id).execute()
      await desk.db().updateTable('loginName').set({ accountId: other.id }).where('nameKey', '=', one.email).execute()
    }
    await swap(kept, merged)
    await swap(merged, kept)
    const set = { changes: JSON.stringify(older), keptLogin: null }
    await desk.db().updateTable('accountMerge').set(set).where('id', '=', id).execute()

    expect((await desk.undo(kept.id, id)).body).toMatchObject({ email: kept.email })
    expect((await merged.browser.get('/api/account/profile')).status).toBe(401)
    expect((await app().browser().logIn(kept.email)).status).toBe(401)
    await app().drain()
    const email = (await openMailbox(app().standins.url).emailsTo(kept.email)).at(-1)
    expect(email?.text).toContain('please choose a new password')
    expect(await desk.breaches()).toEqual([])
  })

  test('expires after 30 days, and its data is deleted', async () => {
    const [kept, merged] = [await desk.join(), await desk.fullMember()]
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    await app().advance(31 * 86_400_000)
    await app().drain()
    const officer = (await newOfficer(app(), ['secretary', 'treasurer'])).browser
    await recordSecondFactor(app(), officer)
    const { body } = await officer.get(`/api/console/members/${kept.id}`)
    expect(body.merges[0]).toMatchObject({ undoUntil: null, undoneAt: null })
    const path = `/api/console/members/${kept.id}/merges/${merges[0]?.id}/undo`
    expect((await officer.post(path, { reason: 'Late' })).body.message).toMatch(/30 days/)
    const row = await desk
      .db()
      .selectFrom('accountMerge')
      .select('changes')
      .where('id', '=', merges[0]?.id ?? '')
      .executeTakeFirst()
    expect(row?.changes).toBe('[]')
  })
})
