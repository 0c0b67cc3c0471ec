import { describe, expect, test } from 'vitest'
import { eraseDeletedNotes } from './note.repository.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const HOUR_MS = 3_600_000

async function newMember() {
  const browser = app().browser()
  const { email } = await browser.join({ levelKey: 'medical_student' })
  const { db } = app().database
  const { id } = await db.selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()
  return { browser, id, email }
}

async function freshOfficer(role: 'secretary' | 'membership') {
  const { browser, accountId } = await newOfficer(app(), [role])
  await recordSecondFactor(app(), browser)
  return { browser, accountId }
}

describe('notes about a member', () => {
  test('are written by officers who may change members, and edited by their author only', async () => {
    const { id } = await newMember()
    const { browser: author } = await freshOfficer('secretary')
    const { browser: colleague } = await freshOfficer('secretary')
    const viewer = await officerWith(app(), ['viewer'])
    const path = `/api/console/members/${id}/notes`
    expect((await viewer.post(path, { kind: 'note', text: 'Hello' })).body.code).toBe('NOT_ALLOWED')
    expect((await author.post(path, { kind: 'note', text: '  ' })).status).toBe(400)
    const added = await author.post(path, { kind: 'call', text: 'Asked for\r\nher receipts.' })
    expect(added.body).toMatchObject({ kind: 'call', text: 'Asked for\nher receipts.', mayEdit: true, version: 1 })
    const one = `${path}/${added.body.id}`
    expect((await colleague.call('PUT', one, { text: 'Mine', version: 1 })).status).toBe(404)
    const edited = await author.call('PUT', one, { text: 'Sent them.', version: 1 })
    expect(edited.body).toMatchObject({ text: 'Sent them.', version: 2 })
    expect((await author.call('PUT', one, { text: 'Again', version: 1 })).body.code).toBe('CHANGED_MEANWHILE')
    const seen = (await viewer.get(`/api/console/members/${id}/timeline?show=notes`)).body
    expect(seen.entries).toMatchObject([
      { kind: 'note', note: { text: 'Sent them.', mayEdit: false, mayDelete: false } },
    ])
  })

  test('are not written about oneself', async () => {
    const { browser, accountId } = await freshOfficer('secretary')
    const answer = await browser.post(`/api/console/members/${accountId}/notes`, { kind: 'note', text: 'Hello' })
    expect(answer.body.code).toBe('OWN_ACCOUNT')
  })

  test('are deleted by their author or a president, restored for a day, and then erased', async () => {
    const { id } = await newMember()
    const { browser: author } = await freshOfficer('membership')
    const { browser: colleague } = await freshOfficer('secretary')
    const president = await officerWith(app(), ['president'])
    const path = `/api/console/members/${id}/notes`
    const { body } = await author.post(path, { kind: 'note', text: 'Moved to Macon.' })
    const one = `${path}/${body.id}`
    expect((await colleague.call('DELETE', one)).status).toBe(404)
    expect((await president.call('DELETE', one)).status).toBe(200)
    const notes = async () => (await author.get(`/api/console/members/${id}/timeline?show=notes`)).body.entries
    expect(await notes()).toEqual([])
    expect((await author.post(`${one}/restore`, {})).status).toBe(200)
    expect(await notes()).toHaveLength(1)
    await author.call('DELETE', one)
    const { db } = app().database
    await eraseDeletedNotes(db, { deletedBefore: app().now() + HOUR_MS, emptyBefore: 0 })
    const row = await db.selectFrom('memberNote').select('text').where('id', '=', body.id).executeTakeFirst()
    expect(row).toEqual({ text: '' })
    const { entries } = (await president.get(`/api/console/audit?person=${id}`)).body
    expect(entries.map(({ action }: { action: string }) => action).slice(0, 4)).toEqual([
      'note.deleted',
      'note.restored',
      'note.deleted',
      'note.added',
    ])
    expect(JSON.stringify(entries)).not.toContain('Macon')
  })

  test('are part of the member’s data, and go with the account', async () => {
    const { browser, id } = await newMember()
    const secretary = await officerWith(app(), ['secretary'])
    await secretary.post(`/api/console/members/${id}/notes`, { kind: 'note', text: 'Needs a ramp.' })
    expect((await browser.get('/api/account/data')).body.notes).toMatchObject([{ kind: 'note', text: 'Needs a ramp.' }])
    expect((await browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })).status).toBeLessThan(300)
    const { db } = app().database
    expect(await db.selectFrom('memberNote').select('id').where('accountId', '=', id).execute()).toEqual([])
    const late = await secretary.post(`/api/console/members/${id}/notes`, { kind: 'note', text: 'x' })
    expect(late.body.code).toBe('ACCOUNT_CLOSED')
  })

  test('are moved by a merge and back by its undo', async () => {
    const [kept, merged] = [await newMember(), await newMember()]
    const president = await officerWith(app(), ['president'])
    await president.post(`/api/console/members/${merged.id}/notes`, { kind: 'note', text: 'Prefers phone calls.' })
    const pair = `/api/console/members/${kept.id}/merge/${merged.id}`
    const plan = (await president.get(pair)).body
    const choices = { email: 'kept', username: 'kept', name: 'kept' }
    const done = await president.post(pair, { choices, version: plan.version, reason: 'The same person' })
    expect(done.status).toBeLessThan(300)
    const { db } = app().database
    const owner = async () =>
      (
        await db
          .selectFrom('memberNote')
          .select('accountId')
          .where('text', '=', 'Prefers phone calls.')
          .executeTakeFirst()
      )?.accountId
    expect(await owner()).toBe(kept.id)
    const merges = (await president.get(`/api/console/members/${kept.id}`)).body.merges as {
      id: string
      moved: string[]
    }[]
    expect(merges[0]?.moved).toContain('1 note by an officer')
    await president.post(`/api/console/members/${kept.id}/merges/${merges[0]?.id}/undo`, { reason: 'Two people' })
    expect(await owner()).toBe(merged.id)
  })
})
