import { beforeEach, expect, test } from 'vitest'
import { findCredential } from '#server/features/credentials/credential.queries.ts'
import { applyCredentialDecision } from '#server/features/credentials/credential.service.ts'
import { publishCredentialKinds } from '#tests/support/content/credential-kinds.ts'
import { joinForDirectory, openPublicDirectory, type DirectoryMember } from '#tests/support/content/directory.ts'
import { deactivate } from '#tests/support/people.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
beforeEach(async () => {
  await publishFields(app(), [
    lineField('specialty', { kind: 'choice', choices: ['Cardiology', 'Urology'], widest: 'everyone' }),
    lineField('city', { widest: 'everyone' }),
    lineField('phone', { kind: 'phone', widest: 'everyone' }),
  ])
  await openPublicDirectory(app())
})

const directory = () => app().app.services.directory
const page = async (query: Record<string, string> = {}) => (await directory().publicPage(query))?.people ?? null
const idsOf = async (member: DirectoryMember) => {
  const { entryId } = await member.choose({ inMembers: true, inPublic: true })
  return (await page())?.filter(({ id }) => id === entryId) ?? []
}

async function candidate(): Promise<DirectoryMember> {
  const member = await joinForDirectory(app(), { firstName: 'Hemangi', lastName: 'Bhatt' })
  await member.put(
    { specialty: 'Cardiology', city: 'Macon', phone: '478 555 0142' },
    { specialty: 'everyone', city: 'everyone', phone: 'members' },
  )
  await member.choose({ inPublic: true })
  return member
}

async function decide({ id, browser }: DirectoryMember, status: 'approved' | 'declined'): Promise<void> {
  const { db } = app().database
  const put = await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
  expect(put.status).toBe(200)
  const credential = await findCredential(db, id)
  if (!credential) throw new Error('nothing was submitted')
  await applyCredentialDecision(db, credential, { status, officerId: 'o1', evidence: 'NPPES' }, app().now())
}

test('shows no one before credentials are approved, and then what is for everyone', async () => {
  const member = await candidate()
  expect(await idsOf(member)).toEqual([])
  await decide(member, 'approved')
  const [shown] = await idsOf(member)
  expect(shown?.values.map(({ key }) => key)).toEqual(['specialty', 'city'])
  expect(JSON.stringify(await directory().publicPage({}))).not.toMatch(/0142|@/)
  await app().app.refreshContent()
  expect(await directory().isAnyonePublic()).toBe(true)
})

test('where no credentials are verified, shows everyone who chose to be listed', async () => {
  const member = await candidate()
  expect(await idsOf(member)).toEqual([])
  await publishCredentialKinds(app(), 'physicians', (kind) => ({ ...kind, isRetired: true }))
  expect(await idsOf(member)).toHaveLength(1)
  await publishCredentialKinds(app(), 'physicians')
  expect(await idsOf(member)).toEqual([])
})

test('filters by what is for everyone, and finds nothing by what is not', async () => {
  const member = await candidate()
  await decide(member, 'approved')
  expect(await page({ specialty: 'Cardiology', city: 'macon' })).not.toEqual([])
  for (const query of [
    { specialty: 'Urology' },
    { city: 'Athens' },
    { q: '0142' },
    { phone: '478 555 0142' },
  ] as Record<string, string>[])
    expect(await page(query)).toEqual([])
})

test.each<[string, (member: DirectoryMember) => Promise<unknown>]>([
  ['switches it off', (member) => member.choose({ inPublic: false })],
  ['is disabled', (member) => deactivate(app(), member.email, 'officer')],
  ['deletes the account', (member) => member.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })],
  [
    'has a membership that ended',
    (member) =>
      app()
        .database.db.updateTable('membership')
        .set({ endsAt: app().now() - 1 })
        .where('accountId', '=', member.id)
        .execute(),
  ],
  [
    'has credentials that were revoked',
    (member) =>
      app()
        .database.db.updateTable('credential')
        .set({ status: 'declined' })
        .where('accountId', '=', member.id)
        .execute(),
  ],
  [
    'has credentials whose recheck is due',
    (member) =>
      app()
        .database.db.updateTable('credential')
        .set({ countedFrom: app().now() - 400 * 86_400_000 })
        .where('accountId', '=', member.id)
        .execute(),
  ],
])('someone who %s is gone at once, from the page and the sitemap', async (_name, leave) => {
  for (const { id } of await app().database.db.selectFrom('directoryListing').select('id').execute())
    await app().database.db.updateTable('directoryListing').set({ inPublic: 0 }).where('id', '=', id).execute()
  const member = await candidate()
  await decide(member, 'approved')
  expect(await page()).toHaveLength(1)
  expect(await directory().isPublic(member.id)).toBe(true)
  await leave(member)
  expect(await page()).toEqual([])
  expect(await directory().isAnyonePublic()).toBe(false)
  expect(await directory().isPublic(member.id)).toBe(false)
})

test('is off until officers switch it on', async () => {
  await openPublicDirectory(app(), { isOn: false })
  expect(await page()).toBeNull()
  expect(await directory().isAnyonePublic()).toBe(false)
})
