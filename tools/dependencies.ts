import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package as pinned in the lock file. */
export interface Package {
  /** Its path: `node_modules/a/node_modules/b`. */
  path: string
  name: string
  version: string
  /** An SPDX expression; empty when its author names none. */
  licence: string
  /** `sha512-…`, in base64; empty when it is not pinned. */
  integrity: string
  /** Its source when that is not npm's configured registry. */
  resolved: string | null
  /** Only for building and testing, not on a server. */
  dev: boolean
  /** For other platforms: not installed everywhere. */
  optional: boolean
  hasInstallScript: boolean
  /** Its pinned dependencies, by path. */
  needs: string[]
}

interface LockEntry {
  name?: string
  version?: string
  license?: string
  integrity?: string
  resolved?: string
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

type Lock = Record<string, LockEntry>

/** Everything pinned in a folder's `package-lock.json`, by path. */
export function readPackages(folder: string): Package[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: Lock }
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? nameIn(path),
      version: entry.version ?? '',
      licence: entry.license ?? '',
      integrity: entry.integrity ?? '',
      resolved: entry.resolved ?? null,
      dev: entry.dev ?? false,
      optional: entry.optional ?? false,
      hasInstallScript: entry.hasInstallScript ?? false,
      needs: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies })
        .map((name) => findFrom(packages, path, name))
        .filter((found) => found !== null)
        .sort(),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The direct dependencies in `package.json`, with the versions as written there. */
export function readDirect(folder: string): { production: Record<string, string>; dev: Record<string, string> } {
  const written = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
    optionalDependencies?: Record<string, string>
  }
  return {
    production: { ...written.dependencies, ...written.optionalDependencies },
    dev: written.devDependencies ?? {},
  }
}

/** An installed package's own metadata; null when it is not installed (it is for another platform). */
export function readInstalled(
  folder: string,
  path: string,
): { name: string; version: string; licence: string; scripts: string[] } | null {
  const file = join(folder, path, 'package.json')
  if (!existsSync(file)) return null
  const {
    name,
    version,
    license,
    scripts = {},
  } = JSON.parse(readFileSync(file, 'utf8')) as {
    name: string
    version: string
    license?: string | { type: string }
    scripts?: Record<string, string>
  }
  const licence = typeof license === 'string' ? license : (license?.type ?? '')
  return { name, version, licence, scripts: ['preinstall', 'install', 'postinstall'].filter((one) => one in scripts) }
}

/** The paths of all packages in a folder's `node_modules`, at any depth. */
export function listInstalled(folder: string, within = 'node_modules'): string[] {
  if (!existsSync(join(folder, within))) return []
  return readdirSync(join(folder, within), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => {
      const path = `${within}/${name}`
      if (name.startsWith('@')) return readdirSync(join(folder, path)).map((part) => `${path}/${part}`)
      return [path]
    })
    .filter((path) => existsSync(join(folder, path, 'package.json')))
    .flatMap((path) => [path, ...listInstalled(folder, `${path}/node_modules`)])
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Resolves as Node does: next to the dependent package, then in parent folders. */
function findFrom(packages: Lock, path: string, name: string): string | null {
  for (let place = `${path}/`; ; place = place.slice(0, place.lastIndexOf('node_modules/'))) {
    const candidate = `${place}node_modules/${name}`
    if (candidate in packages) return candidate
    if (place === '') return null
  }
}
