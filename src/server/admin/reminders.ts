import { formatLongDate } from '#contract/dates/dates.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import type { Tools } from './tools.ts'
import { withApp } from './with-app.ts'

const DAY_MS = 86_400_000

/** `reminders --dry-run [DAYS]`: lists the membership reminders due now or in DAYS days, if nothing changes until then. */
export async function reminders([option, days = '0']: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  if (option !== '--dry-run' || !/^\d{1,3}$/.test(days)) {
    say('Usage: reminders --dry-run [DAYS]. The running site sends them automatically.')
    return 2
  }
  const at = clock.now() + Number(days) * DAY_MS
  const planned = await withApp(tools, (app) => app.services.reminders.plan(at))
  for (const { kind, accountId, levelKey, aboutAt } of planned) {
    const account = await findAccount(database.db, accountId)
    say(`${kind}  ${formatLongDate(aboutAt, config.timeZone)}  ${levelKey}  ${account?.email ?? accountId}`)
  }
  say(planned.length === 0 ? 'No reminders would be sent.' : `${planned.length} would be sent. Nothing was sent.`)
  return 0
}
