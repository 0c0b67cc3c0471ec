import { describe, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console-member.ts'
import { useMerging, type Person } from '#tests/support/merging.ts'
import { newOfficer, prove } from '#tests/support/officers.ts'
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
      /the membership was changed since/,
    ],
    [
      'the other address subscribed anew',
      async (_kept, merged) => desk.subscribeAnew(merged.email),
      /the other address was used anew/,
    ],
    [
      'the RSVP was taken off',
      async (_kept, merged) => desk.db().deleteFrom('rsvp').where('id', '=', `r-${merged.id}`).execute(),
      /an RSVP was changed since/,
    ],
  ])('is refused with a sentence when %s, and changes nothing', async (_name, act, sentence) => {
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

  test('a new password, a new name of the other kind and a payment since are no hindrance: they stay where they are', async () => {
    const [kept, merged] = [await desk.join(), await desk.fullMember()]
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    await kept.browser.call('PUT', '/api/account/profile', {})
    await desk
      .db()
      .updateTable('account')
      .set({ password_hash: 'x', first_name: 'Kalavati' })
      .where('id', '=', kept.id)
      .execute()
    const undone = await desk.undo(kept.id, merges[0]?.id ?? '')
    expect([undone.status, undone.body.name.first]).toEqual([200, 'Kalavati'])
    await desk.db().updateTable('account').set({ password_hash: '$argon2id$x' }).where('id', '=', kept.id).execute()
  })

  test('is over after 30 days, and what was kept for it is forgotten', async () => {
    const [kept, merged] = [await desk.join(), await desk.fullMember()]
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    await app().advance(31 * 86_400_000)
    await app().settle()
    const officer = (await newOfficer(app(), ['secretary', 'treasurer'])).browser
    await prove(app(), officer)
    const { body } = await officer.get(`/api/console/members/${kept.id}`)
    expect(body.merges[0]).toMatchObject({ undoUntil: null, undoneAt: null })
    const path = `/api/console/members/${kept.id}/merges/${merges[0]?.id}/undo`
    expect((await officer.post(path, { reason: 'Late' })).body.message).toMatch(/30 days/)
    const row = await desk
      .db()
      .selectFrom('account_merge')
      .select('changes')
      .where('id', '=', merges[0]?.id ?? '')
      .executeTakeFirst()
    expect(row?.changes).toBe('[]')
  })
})
