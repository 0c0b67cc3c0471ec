import { useEffect, useState } from 'react'
import type { Sponsor } from '#contract/public/sponsors.ts'
import { fetchList } from '#web/api/fetch-list.ts'

// The path alone: importing the contract's endpoint would bring in its schemas.
const SPONSORS_PATH = '/api/sponsors'

/** Starts with the server-rendered sponsors; on mount the browser fetches them again and the fresh response wins. */
export function useSponsors(fromServer: Sponsor[]): { sponsors: Sponsor[]; hasFailed: boolean } {
  const [state, setState] = useState({ sponsors: fromServer, hasFailed: false })

  useEffect(() => {
    let isCurrent = true
    fetchList(SPONSORS_PATH, readSponsors).then(
      (sponsors) => isCurrent && setState({ sponsors, hasFailed: false }),
      () => isCurrent && setState((before) => ({ ...before, hasFailed: true })),
    )
    return () => {
      isCurrent = false
    }
  }, [])

  return state
}

function readSponsors(answer: unknown): Sponsor[] | undefined {
  return Array.isArray(answer) ? answer.filter(isSponsor) : undefined
}

function isSponsor(item: unknown): item is Sponsor {
  const { id, name, logo } = (item ?? {}) as Partial<Sponsor>
  return [id, name, logo].every((field) => typeof field === 'string')
}
