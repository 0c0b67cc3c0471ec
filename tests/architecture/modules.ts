import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

export const ROOT = resolve(import.meta.dirname, '../..')

/** One import of one module, with paths from the root of the repository; packages keep their names. */
export interface Import {
  from: string
  to: string
  /** Imports types only: nothing is left of it at run time. */
  isType: boolean
}

const FOLDERS: Record<string, string> = {
  contract: 'src/contract',
  server: 'src/server',
  web: 'src/web',
  tests: 'tests',
  standins: 'standins',
  tools: 'tools',
}

/** The tracked files whose paths match. */
export function listFiles(pattern: RegExp): string[] {
  return execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => pattern.test(file))
}

/** Returns what a module imports, including `import()` and `export … from`. */
export function readImports(file: string, source = readFileSync(join(ROOT, file), 'utf8')): Import[] {
  const { module } = parseSync(file, source)
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, isType }] : [],
      ),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      specifier: source.slice(start + 1, end - 1),
      isType: false,
    })),
  ]
  return specifiers.map(({ specifier, isType }) => ({ from: file, to: resolvePath(file, specifier), isType }))
}

function resolvePath(file: string, specifier: string): string {
  const [path = ''] = specifier.split('?')
  if (path.startsWith('.')) return normalize(join(dirname(file), path))
  const [, name = '', rest = ''] = /^#(\w+)\/(.*)$/.exec(path) ?? []
  return FOLDERS[name] ? `${FOLDERS[name]}/${rest}` : path
}
