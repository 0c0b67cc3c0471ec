import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/all-endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { definedEndpoints } from '#tests/support/defined-endpoints.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const CONTRACT = resolve(import.meta.dirname, '../../src/contract')
const defined = await definedEndpoints()
const namesOf = (some: readonly Endpoint[]) => some.map(({ name }) => name).toSorted()

const app = useTestApp()

test('every endpoint is defined by an exported constant', () => {
  const calls = globSync('**/*.ts', { cwd: CONTRACT })
    .map((file) => readFileSync(resolve(CONTRACT, file), 'utf8'))
    .flatMap((source) => [...source.matchAll(/(?<!function )\b(?:endpoint|fileEndpoint)\(/g)])
  expect(defined).toHaveLength(calls.length)
  expect(calls.length).toBeGreaterThan(100)
})

test('the list has every endpoint of the contract once; a module that is missing is a line in endpoint-modules.ts', () => {
  expect(namesOf(endpoints)).toEqual(namesOf(defined))
})

test('the application serves every endpoint', async () => {
  const unserved = []
  for (const endpoint of defined) {
    // No path takes it, so the response names the methods that have a route.
    const { headers } = await app().browser().call('PATCH', endpoint.path)
    if (!headers.get('allow')?.split(', ').includes(endpoint.method)) unserved.push(endpoint.name)
  }
  expect(unserved).toEqual([])
})

test('the OpenAPI document describes every endpoint', async () => {
  const { body } = await app().browser().get('/api/openapi.json')
  const operations = Object.entries(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, byMethod]) =>
      Object.entries(byMethod).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  expect(operations.toSorted()).toEqual(
    defined.map(({ name, method, path }) => `${name} ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`).toSorted(),
  )
})
