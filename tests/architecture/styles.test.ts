import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, ROOT } from './modules.ts'

const CONSOLE = /^src\/web\/styles\/console\/.*\.css$/

/** The classes that a style sheet styles on their own, as in `.seats {`; not those that printing, forced colors or a width change. */
function ownClasses(css: string): string[] {
  const always = css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
  const rules = always.matchAll(/([^{}]+)\{/g)
  const selectors = [...rules].flatMap(([, selector = '']) => selector.split(','))
  return selectors.map((selector) => selector.trim()).filter((selector) => /^\.[\w-]+$/.test(selector))
}

// The console loads all of its style sheets on every page: two meanings of one class would mix.
test('a class of the console is styled by one of its style sheets', () => {
  const places = new Map<string, Set<string>>()
  for (const file of listFiles(CONSOLE)) {
    for (const name of ownClasses(readFileSync(join(ROOT, file), 'utf8')))
      places.set(name, (places.get(name) ?? new Set()).add(file))
  }
  expect(places.size).toBeGreaterThan(100)
  const shared = [...places].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])
  expect(shared).toEqual([])
})
