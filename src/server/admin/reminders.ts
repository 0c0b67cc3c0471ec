import { formatLongDate } from '#contract/dates.ts'
import { findAccount } from '../features/account/account.repository.ts'
import type { Tools } from './tools.ts'
import { withApp } from './with-app.ts'

const DAY_MS = 86_400_000

/** `reminders --dry-run [DAYS]`: what members will be told, now or in so many days, if nothing changes until then. */
export async function reminders([option, days = '0']: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  if (option !== '--dry-run' || !/^\d{1,3}$/.test(days)) {
    say('Say "reminders --dry-run [DAYS]". The running site sends them by itself.')
    return 2
  }
  const at = clock.now() + Number(days) * DAY_MS
  const planned = await withApp(tools, (app) => app.features.notices.plan(at))
  for (const { kind, accountId, levelKey, aboutAt } of planned) {
    const account = await findAccount(database.db, accountId)
    say(`${kind}  ${formatLongDate(aboutAt, config.timeZone)}  ${levelKey}  ${account?.email ?? accountId}`)
  }
  say(planned.length === 0 ? 'Nobody would be written to.' : `${planned.length} would be written to. Nothing was sent.`)
  return 0
}
