import { expectStatus, type Visitor } from '#tests/trust/people.ts'

/** Stores values of the member's own record, and who sees them. */
export async function putRecord(
  session: Visitor,
  values: Record<string, unknown>,
  audiences: Record<string, string>,
): Promise<void> {
  const { version } = expectStatus(await session.get('/api/account/record'), 200, 'record').body
  expectStatus(await session.call('PUT', '/api/account/record', { version, values, audiences }), 200, 'record')
}

/** Lists the member in the directory for members; returns the id of the entry. */
export async function listOneself(session: Visitor, { inPublic = false } = {}): Promise<string> {
  const choice = { inMembers: true, inPublic, takesMessages: true }
  return expectStatus(await session.call('PUT', '/api/account/directory', choice), 200, 'directory').body.entryId
}

/** The address that the code of the membership card holds. */
export async function openCard(session: Visitor): Promise<string> {
  return String(expectStatus(await session.get('/api/account/card'), 200, 'card').body.code?.url)
}
