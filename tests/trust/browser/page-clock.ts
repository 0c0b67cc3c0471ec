/** Text of a script for a page in which it is always the same moment. @param at epoch milliseconds */
export function fixedTime(at: number): string {
  return `(${setTime.toString()})(${at})`
}

/** Text of a script for a page whose time can be moved forward by `passTime`; until then it goes on as usual. */
export const MOVABLE_TIME = `(${makeTimeMovable.toString()})()`

/** Moves the time of a page with `MOVABLE_TIME` forward. Runs in the page. */
export function passTime(ms: number): void {
  window.passTime?.(ms)
}

/** Runs in the page. */
function setTime(at: number): void {
  globalThis.Date = class extends Date {
    constructor(...words: [] | [value: number]) {
      if (words.length === 0) super(at)
      else super(...words)
    }

    static override now(): number {
      return at
    }
  } as DateConstructor
}

/** Runs in the page. Only intervals of seconds follow: shorter ones wait for the page itself. */
function makeTimeMovable(): void {
  const LONG_MS = 5_000
  const RealDate = Date
  const setRealInterval = window.setInterval
  const clearRealInterval = window.clearInterval
  const intervals = new Map<unknown, { work: () => void; ms: number; nextAt: number }>()
  let aheadMs = 0
  const now = () => RealDate.now() + aheadMs
  globalThis.Date = class extends RealDate {
    constructor(...words: [] | [value: number]) {
      if (words.length === 0) super(now())
      else super(...words)
    }

    static override now(): number {
      return now()
    }
  } as DateConstructor
  window.setInterval = ((work: () => void, ms = 0) => {
    const id = setRealInterval(work, ms)
    if (ms >= LONG_MS) intervals.set(id, { work, ms, nextAt: now() + ms })
    return id
  }) as typeof setInterval
  window.clearInterval = (id) => {
    clearRealInterval(id)
    if (id !== undefined) intervals.delete(id)
  }
  window.passTime = (ms) => {
    aheadMs += ms
    for (const interval of intervals.values()) {
      while (interval.nextAt <= now()) {
        interval.nextAt += interval.ms
        interval.work()
      }
    }
  }
}

declare global {
  interface Window {
    passTime?: (ms: number) => void
  }
}
