import type { Browser } from 'playwright-core'
import { isInstalled, missingSentence } from '../faults/counterparts.ts'
import type { World } from '../site.ts'
import { FIREFOX, launchFirefox } from './firefox.ts'
import { playwrightEngine } from './playwright-engine.ts'
import type { Engine } from './tab.ts'
import { startWebKitEngine } from './webkit-engine.ts'
import { WEBKIT } from './webkit.ts'

/** Chromium, and Firefox and WebKit where Debian's packages are installed. */
export interface Engines {
  all: Engine[]
  /** Why others were not run; empty if none is missing. */
  notRun: string
  /** Chromium's browser stays open. */
  close(): Promise<void>
}

export async function startEngines(chromium: Browser, world: World): Promise<Engines> {
  const firefox = await launchFirefox()
  const others = [firefox && playwrightEngine('Firefox', firefox, world), await startWebKitEngine(world)]
  const all = [playwrightEngine('Chromium', chromium, world), ...others.filter((engine) => engine !== null)]
  return {
    all,
    notRun: missingSentence([FIREFOX, ...WEBKIT].filter(({ program }) => !isInstalled(program))),
    async close() {
      for (const engine of all.slice(1)) await engine.close()
    },
  }
}
