import type { Endpoint } from './endpoint.ts'
import * as modules from './endpoint-modules.ts'

/** All endpoints, in no particular order. The OpenAPI document and the tests of authorization are generated from this list. */
export const endpoints: readonly Endpoint[] = Object.values(modules)
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isEndpoint)

/** Modules also export schemas, functions and limits. */
function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'access' in value && 'failures' in value
}
