import type { Account } from './account.ts'
import type { FormObject } from './form-encoding.ts'
import { readShape } from './params.ts'
import type { Shape, Values } from './params.ts'

export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Such as `/v1/customers/:id`. */
  path: string
  /** Parses the parameters (throwing before any change) and returns the work. */
  prepare(account: Account, form: FormObject, ids: Record<string, string>): { expand: string[]; work: () => unknown }
}

export function endpoint<S extends Shape>(
  method: Endpoint['method'],
  path: string,
  shape: S,
  work: (account: Account, values: Values<S>, ids: { id: string }) => unknown,
): Endpoint {
  return {
    method,
    path,
    prepare(account, form, ids) {
      const values = readShape(shape, form)
      const expand = (values as { expand?: string[] }).expand ?? []
      return { expand, work: () => work(account, values, ids as { id: string }) }
    },
  }
}
