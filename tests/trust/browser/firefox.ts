import { firefox, type Browser } from 'playwright-core'
import { isInstalled, type Counterpart } from '../faults/counterparts.ts'

export const FIREFOX: Counterpart = { program: 'firefox-esr', debianPackage: 'firefox-esr' }

/** Debian's Firefox does not know this command yet, and the page library sends it with every context and page. */
const UNKNOWN_TO_FIREFOX = 'emulation.setMediaFeaturesOverride'

/** Debian's Firefox, driven by WebDriver BiDi; null if it is not installed. Reduced motion must be asked for here. */
export async function launchFirefox({ reducedMotion = false } = {}): Promise<Browser | null> {
  if (!isInstalled(FIREFOX.program)) return null
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: `/usr/bin/${FIREFOX.program}`,
    firefoxUserPrefs: { ...(reducedMotion && { 'ui.prefersReducedMotion': 1 }) },
  })
  ignoreUnknownCommand(browser)
  return browser
}

interface Session {
  send(method: string, ...words: unknown[]): Promise<unknown>
}

/** Reaches into the page library, whose version the lock file fixes. */
function ignoreUnknownCommand(browser: Browser): void {
  const { _connection: connection } = browser as unknown as {
    _connection: { toImpl(browser: Browser): { _browserSession: Session } }
  }
  const sessions = Object.getPrototypeOf(connection.toImpl(browser)._browserSession) as Session
  const { send } = sessions
  sessions.send = function (this: Session, method, ...words) {
    return method === UNKNOWN_TO_FIREFOX ? Promise.resolve({}) : send.call(this, method, ...words)
  }
}
