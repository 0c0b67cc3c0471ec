import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { dayOf } from '#contract/dates/dates.ts'
import { readSpan, type Span } from './span.rules.ts'

/** The span in the address; by default the current month in the association's time zone. */
export function useSpan(): Span & { thisMonth: string } {
  const [params] = useSearchParams()
  const [thisMonth] = useState(() => dayOf(Date.now()).slice(0, 7))
  return { ...readSpan(params, thisMonth), thisMonth }
}
