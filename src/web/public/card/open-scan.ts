import { getOfficer } from '#contract/console/console.ts'
import { call } from '#web/api/call.ts'
import { paths } from '#web/app/paths.ts'
import { currentToken } from '#web/session/session.ts'

/** Leads an officer to what the code stands for; does nothing for others. A new document, since the console may use the camera. @throws {CallFailure} for others */
export async function openScan(hash: string): Promise<void> {
  const bearer = currentToken()
  if (bearer === null) return
  const { permissions } = await call(getOfficer, { bearer })
  if (permissions.includes('events.run')) window.location.replace(`${paths.console()}/cards${hash}`)
}
