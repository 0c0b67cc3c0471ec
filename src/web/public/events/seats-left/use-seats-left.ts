import { useEffect, useState } from 'react'
import { fetchList } from '#web/api/fetch-list.ts'
import { parseSeatsLeft } from './seats-left.rules.ts'

type SeatsLeft = ReadonlyMap<string, number>

const NONE: SeatsLeft = new Map()

/**
 * The seats left now, by event; without those whose seats are not limited. The page itself is cached and does not have them.
 * @param isWanted whether any event of the list takes RSVPs
 */
export function useSeatsLeft(isWanted: boolean): SeatsLeft {
  const [seatsLeft, setSeatsLeft] = useState(NONE)

  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    fetchList('/api/events/seats-left', parseSeatsLeft).then(
      (found) => isCurrent && setSeatsLeft(new Map(found.map((event) => [event.id, event.seatsLeft]))),
      // The event's own page shows them, or says that it cannot.
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [isWanted])

  return seatsLeft
}
