import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'

const MARK = 'demo'
/** A folder with one of these belongs to a site. */
const OF_A_SITE = ['association.db', 'session-secret']

/**
 * Marks a new data directory as that of a demo, which opens every account in it to anyone.
 * @throws ConfigError for a directory of a site that was not made by a demo
 */
export function claimDemoFolder(dataDirectory: string): void {
  const mark = join(dataDirectory, MARK)
  if (existsSync(mark)) return
  if (OF_A_SITE.some((file) => existsSync(join(dataDirectory, file)))) {
    throw new ConfigError([
      `DATA_DIR is ${dataDirectory}, which holds the data of a site that is no demo: choose a new folder, or remove DEMO.`,
    ])
  }
  mkdirSync(dataDirectory, { recursive: true })
  writeFileSync(mark, 'The data of a demo: anyone may log in.\n')
}
