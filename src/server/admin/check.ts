import { dayOf } from '#contract/dates.ts'
import { isUnmanaged } from '../features/console/role-permissions.ts'
import { mediaDirectory } from '../media/create-media-store.ts'
import { checkIntegrity } from '../watching/integrity.ts'
import { NOBODY_MANAGES } from '../watching/signs.ts'
import { invariants } from '../watching/invariants/invariants.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { compareSchema } from '../db/migrate.ts'
import { secretsOf, type Tools } from './tools.ts'

const SHOWN = 20

/** `check`: what the engine says of its files, and every invariant. Reads only; 1 when something is wrong. */
export async function check(_parameters: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  const { asked, damages, notAsked } = await checkIntegrity(database).catch((error: unknown) => {
    // A server that does not answer has said nothing of its tables.
    if (database.engine === 'postgres' && isDatabaseUnavailable(error)) throw error
    return { asked: ['reading the file'], damages: [(error as Error).message], notAsked: [] }
  })
  say(`${damages.length === 0 ? 'ok   ' : 'WRONG'} engine: ${asked.join(', ')}`)
  for (const damage of damages) say(`        ${damage}`)
  if (damages.length > 0)
    say('        Cure: stop the site, and restore the last backup into an empty folder before anything else.')
  for (const reason of notAsked) say(`        not asked: ${reason}`)

  const schema = await compareSchema(database.db).catch(() => null)
  if (schema !== 'same') {
    say(
      `WRONG The schema ${schema === null ? 'cannot be read' : `is ${schema} than this release`}, so nothing more can be said. Run the release that fits it, or restore a backup.`,
    )
    return 1
  }

  // A term that ended breaks nothing that is stored, so it warns and does not fail.
  if (await isUnmanaged(database.db, dayOf(clock.now(), config.timeZone))) say(`WARN  officers: ${NOBODY_MANAGES}`)

  let broken = damages.length > 0 ? 1 : 0
  const lookedAt = {
    db: database.db,
    now: clock.now(),
    secrets: secretsOf(config),
    mediaDirectory: config.storage ? null : mediaDirectory(config.dataDirectory),
  }
  for (const { name, sentence, cure, find } of invariants) {
    // Of a damaged database a question may find no answer.
    const found = await find(lookedAt).catch((error: unknown) => [(error as Error).message])
    say(`${found.length === 0 ? 'ok   ' : 'WRONG'} ${name}: ${sentence}`)
    if (found.length === 0) continue
    broken++
    const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : ''
    say(`        ${found.length}: ${found.slice(0, SHOWN).join(', ')}${more}`)
    say(`        Cure: ${cure}`)
  }
  say(broken === 0 ? 'Everything holds.' : `${broken} of ${invariants.length + 1} do not hold.`)
  return broken === 0 ? 0 : 1
}
