import { Banner } from '#web/ui/banner.tsx'
import type { Action } from './use-action.ts'

/** Where a page says what its buttons did. */
export function ActionMessages({ action: { failure, done } }: { action: Action }) {
  return (
    <>
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
    </>
  )
}
