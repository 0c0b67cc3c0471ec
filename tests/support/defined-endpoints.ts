import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint } from '#contract/endpoint.ts'

const CONTRACT = resolve(import.meta.dirname, '../../src/contract')
const DEFINITION = /^export const (\w+) = (?:endpoint|fileEndpoint)\(/gm

/** Every endpoint that the sources of the contract define, sorted by name: found without the list that the application uses. */
export async function definedEndpoints(): Promise<Endpoint[]> {
  const modules = globSync('**/*.ts', { cwd: CONTRACT }).map(async (path) => {
    const file = join(CONTRACT, path)
    const names = [...readFileSync(file, 'utf8').matchAll(DEFINITION)].map(([, name = '']) => name)
    if (names.length === 0) return []
    const exported = (await import(pathToFileURL(file).href)) as Record<string, Endpoint>
    return names.flatMap((name) => exported[name] ?? [])
  })
  return (await Promise.all(modules)).flat().toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
