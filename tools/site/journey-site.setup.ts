import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startLocalSite } from './local-site.ts'
import { findFreePorts } from '../ports.ts'
import { findBrowser } from '#tests/support/browser/browser.ts'
import '#tests/support/browser/journey-site.ts'

/** The user's settings must not reach the site: tests never call a real provider. */
const KEPT = /^(PATH|HOME|USER|TMPDIR|TEMP|TMP|LANG|LC_.*|TZ|SystemRoot|APPDATA|LOCALAPPDATA|NODE_EXTRA_CA_CERTS)$/i

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'association-journeys-'))
  const port = await findFreePorts(3)
  const said: string[] = []
  const [site] = await Promise.all([
    startLocalSite({
      environment: { ...keptEnvironment(), PORT: String(port), DATA_DIR: dataDirectory },
      say: (line) => void said.push(line),
    }),
    // The browser from npm unpacks itself: once here, not in several tests in parallel.
    findBrowser(),
  ])
  if (site.state.is !== 'ready') {
    await site.stop()
    const why = site.state.is === 'unready' ? site.state.reasons : said.join('\n')
    throw new Error(`The site for the journeys did not start: ${why}`)
  }
  const { config } = site
  project.provide('journeySite', {
    url: config.siteUrl,
    standinsUrl: config.standinsUrl ?? '',
    dataDirectory,
  })

  return async function tearDown() {
    const status = await site.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
    if (status !== 0) throw new Error(`The site ended with status ${status}. It said:\n${said.join('\n')}`)
  }
}

function keptEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)))
}
