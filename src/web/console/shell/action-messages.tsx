import { Banner } from '#web/ui/banner.tsx'
import type { Action } from './use-action.ts'

/** Where a page says what its buttons did. */
export function ActionMessages({ action: { failure, done, isMissed } }: { action: Action }) {
  return (
    <>
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div role="status">
        {done && <Banner tone="good">{done}</Banner>}
        {isMissed && (
          <Banner tone="warn">
            One thing at a time: what you pressed meanwhile was not done. Press it again if you still want it.
          </Banner>
        )}
      </div>
    </>
  )
}
