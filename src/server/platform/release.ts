import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../../../package.json')

/** What runs here: the version of the package, and the name of the folder of built pages, which is the hash of their sources. */
export function readRelease(buildDirectory: string | null): { version: string; build: string } {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
  return { version, build: buildDirectory === null ? 'none' : basename(buildDirectory) }
}
