import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startLocalSite } from './local-site.ts'
import { buildSite } from '../build.ts'
import { findFreePorts } from '../ports.ts'
import { findBrowser } from '#tests/support/browser/browser.ts'
import type { JourneySite } from '#tests/support/browser/journey-site.ts'

/** The user's settings must not reach the site: tests never call a real provider. */
const KEPT = /^(PATH|HOME|USER|TMPDIR|TEMP|TMP|LANG|LC_.*|TZ|SystemRoot|APPDATA|LOCALAPPDATA|NODE_EXTRA_CA_CERTS)$/i

const PORTS_A_SITE = 3

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Both need the build, and the browser from npm unpacks itself: once here, not in several processes at the same time.
  await Promise.all([buildSite({ log: () => {} }), findBrowser()])
  const count = project.config.maxWorkers
  const port = await findFreePorts(count * PORTS_A_SITE)
  const sites = await Promise.all(
    Array.from({ length: count }, (_, index) => startJourneySite(port + index * PORTS_A_SITE)),
  )
  project.provide(
    'journeySites',
    sites.map(({ journeySite }) => journeySite),
  )
  return async function tearDown() {
    await Promise.all(sites.map(({ stop }) => stop()))
  }
}

async function startJourneySite(port: number): Promise<{ journeySite: JourneySite; stop: () => Promise<void> }> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'association-journeys-'))
  const said: string[] = []
  const site = await startLocalSite({
    environment: { ...keptEnvironment(), PORT: String(port), DATA_DIR: dataDirectory },
    say: (line) => void said.push(line),
  })
  if (site.state.is !== 'ready') {
    await site.stop()
    const why = site.state.is === 'unready' ? site.state.reasons : said.join('\n')
    throw new Error(`The site for the journeys did not start: ${why}`)
  }
  const { config } = site
  return {
    journeySite: { url: config.siteUrl, standinsUrl: config.standinsUrl ?? '', dataDirectory },
    async stop() {
      const status = await site.stop()
      rmSync(dataDirectory, { recursive: true, force: true })
      if (status !== 0) throw new Error(`The site ended with status ${status}. It said:\n${said.join('\n')}`)
    },
  }
}

function keptEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)))
}
