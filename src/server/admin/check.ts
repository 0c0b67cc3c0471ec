import { dayOf } from '#contract/dates/dates.ts'
import { hasLostManagers } from '#server/features/officers/role-permissions.queries.ts'
import { mediaDirectory } from '#server/media-store/create-media-store.ts'
import { checkIntegrity } from '#server/monitoring/integrity.ts'
import { NO_OFFICER_MANAGER_MESSAGE } from '#server/monitoring/health-checks.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { compareSchema } from '../db/migrate.ts'
import { createSiteSecrets, type Tools } from './tools.ts'

const MAX_IDS_SHOWN = 20

/** `check`: runs the engine's own checks and every invariant. Read-only; exits with 1 when something is wrong. */
export async function check(_parameters: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  const { checks, damage, skipped } = await checkIntegrity(database).catch((error: unknown) => {
    // An unreachable server is not damage.
    if (database.engine === 'postgres' && isDatabaseUnavailable(error)) throw error
    return { checks: ['reading the file'], damage: [(error as Error).message], skipped: [] }
  })
  say(`${damage.length === 0 ? 'ok   ' : 'WRONG'} engine: ${checks.join(', ')}`)
  for (const line of damage) say(`        ${line}`)
  if (damage.length > 0)
    say('        Fix: stop the site, and restore the last backup into an empty folder before anything else.')
  for (const reason of skipped) say(`        skipped: ${reason}`)

  const schema = await compareSchema(database.db).catch(() => null)
  if (schema !== 'same') {
    say(
      `WRONG The schema ${schema === null ? 'cannot be read' : `is ${schema} than this release`}, so the other checks cannot run. Run the matching release, or restore a backup.`,
    )
    return 1
  }

  // An expired term violates no stored data, so it warns and does not fail.
  if (await hasLostManagers(database.db, dayOf(clock.now(), config.timeZone)))
    say(`WARN  officers: ${NO_OFFICER_MANAGER_MESSAGE}`)

  let failedCount = damage.length > 0 ? 1 : 0
  const invariantTools = {
    db: database.db,
    now: clock.now(),
    secrets: createSiteSecrets(config),
    mediaDirectory: config.storage ? null : mediaDirectory(config.dataDirectory),
  }
  for (const { name, condition: sentence, remedy: cure, findViolations: find } of invariants) {
    // On a damaged database a query may fail.
    const found = await find(invariantTools).catch((error: unknown) => [(error as Error).message])
    say(`${found.length === 0 ? 'ok   ' : 'WRONG'} ${name}: ${sentence}`)
    if (found.length === 0) continue
    failedCount++
    const more = found.length > MAX_IDS_SHOWN ? ` and ${found.length - MAX_IDS_SHOWN} more` : ''
    say(`        ${found.length}: ${found.slice(0, MAX_IDS_SHOWN).join(', ')}${more}`)
    say(`        Fix: ${cure}`)
  }
  say(failedCount === 0 ? 'All checks passed.' : `${failedCount} of ${invariants.length + 1} checks failed.`)
  return failedCount === 0 ? 0 : 1
}
