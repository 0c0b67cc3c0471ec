import { expect, test } from 'vitest'
import { addressHash } from '#server/lib/address-hash.ts'
import { createSecrets, type Secrets } from '#server/lib/secrets.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { suppress } from '#server/features/newsletter/subscribers/subscriber.commands.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { blockedMembers, refreshHashedAddresses } from './blocked-members.queries.ts'

const database = useTestDatabase()
const secrets = createSecrets('first secret of the site, long enough')

async function add(...emails: string[]): Promise<void> {
  for (const email of emails) {
    const id = email.split('@')[0] ?? ''
    const person = { id, username: id, email, passwordHash: '', firstName: 'First', lastName: 'Last', createdAt: 0 }
    await createAccount(database(), person, 0)
  }
}

/** Of each blocked account, why. */
async function blocked(by: Secrets = secrets): Promise<Record<string, string>> {
  await refreshHashedAddresses(database(), by)
  const rows = await blockedMembers(database()).execute()
  return Object.fromEntries(rows.map(({ accountId, blocked: why }) => [accountId, why]))
}

const suppressed = (email: string, reason: 'bounce' | 'complaint' | 'account_ended', by = secrets) =>
  suppress(database(), addressHash(by, email), reason, 0)

test('addresses that bounced or complained are blocked, whatever their spelling; others are not', async () => {
  await add('Bounced@example.net', 'complained@example.net', 'ended@example.net', 'fine@example.net')
  await suppressed('bounced@EXAMPLE.net', 'bounce')
  await suppressed('complained@example.net', 'complaint')
  await suppressed('ended@example.net', 'account_ended')
  expect(await blocked()).toEqual({ Bounced: 'bounced', complained: 'complained' })
})

test('an account without an address is blocked once, and only as that', async () => {
  await add('someone@example.net')
  await database().updateTable('account').set({ email: '' }).execute()
  await suppressed('', 'bounce')
  expect(await blockedMembers(database()).execute()).toHaveLength(1)
  expect(await blocked()).toEqual({ someone: 'no-email' })
})

test('a new address is looked up as soon as it is stored', async () => {
  await add('old@example.net')
  await suppressed('old@example.net', 'bounce')
  expect(await blocked()).toEqual({ old: 'bounced' })
  await database().updateTable('account').set({ email: 'new@example.net' }).execute()
  expect(await blocked()).toEqual({})
  await suppressed('new@example.net', 'complaint')
  expect(await blocked()).toEqual({ old: 'complained' })
})

test('a transaction sees the addresses that it has changed', async () => {
  await add('old@example.net')
  await suppressed('new@example.net', 'bounce')
  expect(await blocked()).toEqual({})
  await database()
    .transaction()
    .execute(async (tx) => {
      await tx.updateTable('account').set({ email: 'new@example.net' }).execute()
      await refreshHashedAddresses(tx, secrets)
      expect(await blockedMembers(tx).execute()).toEqual([{ accountId: 'old', blocked: 'bounced' }])
    })
})

test('another secret of the site hashes every address again', async () => {
  await add(...Array.from({ length: 700 }, (_, number) => `m${number}@example.net`))
  expect(await blocked()).toEqual({})
  const other = createSecrets('another secret of the site, long enough')
  await suppressed('m42@example.net', 'bounce', other)
  await suppressed('m699@example.net', 'bounce')
  expect(await blocked(other)).toEqual({ m42: 'bounced' })
  // And back: one of the two has the smaller check value.
  expect(await blocked()).toEqual({ m699: 'bounced' })
})
