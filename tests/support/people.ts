import type { TestApp } from './test-app.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Deactivates an account as its owner or an officer would; by its owner, its names are released (docs/product-rules.md#usernames). */
export async function deactivate({ database: { db } }: TestApp, email: string, by: 'self' | 'officer'): Promise<void> {
  const { id } = await db
    .updateTable('account')
    .set((eb) => ({ deactivatedBy: by, tokenVersion: eb('tokenVersion', '+', by === 'self' ? 1 : 0) }))
    .where('emailKey', '=', email.toLowerCase())
    .where('deactivatedBy', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow()
  if (by === 'self') await db.deleteFrom('loginName').where('accountId', '=', id).execute()
}

/** A body with its varying fields replaced, so that two responses can be compared. */
export function withoutIds(body: Record<string, unknown>): Record<string, unknown> {
  return { ...body, ...('userId' in body && { userId: 'some id' }) }
}
