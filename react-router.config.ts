import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/web',
  // tools/build.ts names a folder for each build; the command itself is only used for the types and while developing.
  buildDirectory: process.env['SITE_BUILD_DIRECTORY'] ?? 'build/unnamed',
  ssr: true,
  // All routes are known from the first page on: no calls to discover them, which could not be cached.
  routeDiscovery: { mode: 'initial' },
  buildEnd({ reactRouterConfig: { buildDirectory } }) {
    lightenManifests(join(buildDirectory, 'client', 'assets'))
  },
} satisfies Config

const MANIFEST = /^manifest-.+\.js$/
const BEFORE_MANIFEST = 'window.__reactRouterManifest='

/**
 * Every page brings the table of all routes along. What it says of the files a route needs is for the server, which has a table of its own, and for links
 * that fetch ahead, of which there are none; what is not so need not be said. Leaves 1 kB of 2.
 */
function lightenManifests(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => MANIFEST.test(file))) {
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    if (!text.startsWith(BEFORE_MANIFEST)) throw new Error(`${name} does not begin as the router's manifests do.`)
    const { entry, ...rest }: { entry: object } = JSON.parse(text.slice(BEFORE_MANIFEST.length).replace(/;\s*$/, ''))
    const light = JSON.stringify({ ...rest, entry: { ...entry, imports: [] } }, (key, value: unknown) =>
      value === false || (key === 'imports' && Array.isArray(value) && value.length > 0) ? undefined : value,
    )
    writeFileSync(file, `${BEFORE_MANIFEST}${light};`)
  }
}
