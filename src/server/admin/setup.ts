import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { issueSetupUrl } from '#server/features/setup/setup-code.service.ts'
import { markOpen } from '#server/features/setup/setup.commands.ts'
import { hasOfficer, isSiteOpen } from '#server/features/setup/setup.queries.ts'
import type { Tools } from './tools.ts'

/** `setup code` and `setup open`. */
export async function setup([action]: readonly string[], tools: Tools): Promise<number> {
  if (action === 'code') return code(tools)
  if (action === 'open') return open(tools)
  tools.say('Usage: setup code | setup open')
  return 2
}

async function code({ config, database: { db }, clock, say }: Tools): Promise<number> {
  const url = await issueSetupUrl(db, { siteUrl: config.siteUrl, now: clock.now() })
  if (url) {
    say(`Within an hour, open this address in a browser. It works once:\n\n  ${url}\n`)
    return 0
  }
  const isOpen = await isSiteOpen(db)
  say(
    isOpen
      ? 'The site is open already.'
      : `The first officer exists already. They log in at ${config.siteUrl}/console and continue there.`,
  )
  return 1
}

/** Opens a site that was set up by commands. The settings of its providers must be in the environment. */
async function open({ config, database: { db }, clock, say }: Tools): Promise<number> {
  if (await isSiteOpen(db)) {
    say('The site is open already.')
    return 0
  }
  if (config.missingProviders.length > 0) {
    say('The site cannot open yet:')
    for (const line of config.missingProviders) say(`  ${line}`)
    return 1
  }
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await markOpen(tx, { by: 'webmaster', now })
    await writeAudit(tx, { actor: 'webmaster', action: 'setup.opened', subjectId: 'site' }, now)
  })
  say('The site is open.')
  if (!(await hasOfficer(db))) say('It has no officer yet: see "create-officer".')
  return 0
}
