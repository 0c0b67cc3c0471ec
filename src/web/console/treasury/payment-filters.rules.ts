import { LINE_TYPES, PAYMENT_KINDS, PAYMENT_STATES } from '#contract/console/money/payments.ts'
import { MANUAL_METHODS } from '#contract/console/money/hand-payments.ts'

type Query = Record<string, string>

const ALLOWED: Record<string, readonly string[]> = {
  kind: PAYMENT_KINDS,
  type: LINE_TYPES,
  state: PAYMENT_STATES,
  method: ['card', ...MANUAL_METHODS],
}

/** The query of the list in an address. What is invalid is left out, so that old links still work. */
export function readPaymentFilters(
  params: URLSearchParams,
  span: { from: string; to: string },
): Query & { from: string; to: string } {
  const query: Query = {}
  for (const [name, values] of Object.entries(ALLOWED)) {
    const value = params.get(name) ?? ''
    if (values.includes(value)) query[name] = value
  }
  for (const name of ['least', 'most']) {
    const value = params.get(name) ?? ''
    if (/^\d{1,9}$/.test(value)) query[name] = value
  }
  const q = (params.get('q') ?? '').trim().slice(0, 100)
  const sort = params.get('sort') ?? ''
  const isKnown = ['day', 'name', 'amount'].includes(sort)
  return {
    ...query,
    ...(q !== '' && { q }),
    sort: isKnown ? sort : 'day',
    order: isKnown && params.get('descending') !== 'yes' ? 'asc' : 'desc',
    ...span,
  }
}
