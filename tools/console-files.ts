import type { Plugin, Rolldown } from 'vite'

/** The sources of the console. */
const OF_CONSOLE = /[\\/]src[\\/]web[\\/]console[\\/]/
const SHARED = 'console-shared'
const HELPER = /vite\/preload-helper\.js$/
const HELPER_OF_CONSOLE = '\0preload-helper-of-console.js'

interface ConsoleFiles {
  plugin: Plugin
  /** For `build.modulePreload`. */
  resolveDependencies(file: string, needed: string[], context: { hostId: string }): string[]
}

/**
 * How the console is divided into files. Public pages are divided by who uses what, so that none loads what only others need; a page of the console would
 * then be in eighty files, found in up to five round trips.
 *
 * - What several of its pages share, and only they, comes in one file with its frame.
 * - It knows the files of each page and asks for them at once. On public pages such a list would cost each visitor half a kB: there a piece that is loaded
 *   later is an import and nothing more.
 */
export function consoleFiles(): ConsoleFiles {
  /** By name of a file of the console: the files that are here before it can ask for more. */
  const presentFor = new Map<string, ReadonlySet<string>>()

  const plugin: Plugin = {
    name: 'console-files',
    apply: 'build',
    enforce: 'pre',
    configEnvironment: {
      // After the router, which asks for the entries as they are.
      order: 'post',
      handler: (environment) => (environment === 'client' ? { build: { rolldownOptions: SHARED_FILE } } : null),
    },
    resolveId: {
      filter: { id: HELPER },
      handler: (_id, importer) => (importer && OF_CONSOLE.test(importer) ? HELPER_OF_CONSOLE : null),
    },
    load(id) {
      if (id === HELPER_OF_CONSOLE)
        return `import { preloadFiles } from '/src/web/console/preload-files.ts'
          export const __vitePreload = (load, files) => (preloadFiles(files), load())`
      return HELPER.test(id) ? 'export const __vitePreload = (load) => load()' : null
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      if (this.environment.name === 'client' && !chunks.some(({ name }) => name === SHARED))
        this.error(
          'The console has no common file: the bundler divides it in another way than tools/console-files.ts asks.',
        )
      for (const { fileName, moduleIds } of chunks)
        if (moduleIds.some((id) => OF_CONSOLE.test(id))) presentFor.set(fileName, importsOf(fileName, bundle))
    },
  }

  return {
    plugin,
    resolveDependencies(_file, needed, { hostId }) {
      const present = presentFor.get(hostId)
      return present ? needed.filter((file) => !present.has(file)) : []
    },
  }
}

const SHARED_FILE: Rolldown.RolldownOptions = {
  // Needed for a group without all that it imports.
  preserveEntrySignatures: 'allow-extension',
  output: {
    codeSplitting: {
      groups: [
        {
          debugName: SHARED,
          name: (id, graph) => (isOnlyOfConsole(id, graph) ? SHARED : null),
          minShareCount: 6,
          // What public pages share too stays where they find it.
          includeDependenciesRecursively: false,
        },
      ],
    },
  },
}

/** Whether the console alone loads a module: every way up from it leads to a module of the console. */
function isOnlyOfConsole(id: string, graph: { getModuleInfo(id: string): Rolldown.ModuleInfo | null }): boolean {
  const seen = new Set<string>()
  const above = [id]
  for (let next = above.pop(); next !== undefined; next = above.pop()) {
    if (seen.has(next) || OF_CONSOLE.test(next)) continue
    seen.add(next)
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(next) ?? {}
    if (importers.length + dynamicImporters.length === 0) return false
    above.push(...importers, ...dynamicImporters)
  }
  return true
}

/** The file itself and all that it imports, directly or not. */
function importsOf(file: string, bundle: Rolldown.OutputBundle, found = new Set<string>()): ReadonlySet<string> {
  const chunk = bundle[file]
  if (chunk?.type === 'chunk' && !found.has(file)) {
    found.add(file)
    for (const imported of chunk.imports) importsOf(imported, bundle, found)
  }
  return found
}
