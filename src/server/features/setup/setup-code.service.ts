import { randomBytes } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { saveCode } from './setup.commands.ts'
import { findSetup, hasOfficer } from './setup.queries.ts'

const CODE_BYTES = 24
const CODE_LIVES_MS = 3_600_000

/**
 * Makes a new code for the set-up page, valid for an hour and once; the code before it no longer works. Returns its URL, or null if the site is open or has
 * an officer, who continues in the console.
 * @param keepsCurrent returns null too if there is a code that was not used, which someone may have copied
 */
export async function issueSetupUrl(
  db: Db,
  { siteUrl, now, keepsCurrent = false }: { siteUrl: string; now: number; keepsCurrent?: boolean },
): Promise<string | null> {
  const setup = await findSetup(db)
  if (keepsCurrent && (setup?.codeExpiresAt ?? 0) > now) return null
  if (!setup || setup.openedAt !== null || (await hasOfficer(db))) return null
  const code = randomBytes(CODE_BYTES).toString('base64url')
  await saveCode(db, { hash: hashToken(code), expiresAt: now + CODE_LIVES_MS })
  return `${siteUrl}/setup?code=${code}`
}
