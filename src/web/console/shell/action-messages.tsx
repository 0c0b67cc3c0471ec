import { Banner } from '#web/ui/banner.tsx'
import type { Action } from './use-action.ts'

/** Reports the result of a page's actions. */
export function ActionMessages({ action: { failure, done, wasIgnored } }: { action: Action }) {
  return (
    <>
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div role="status">
        {done && <Banner tone="good">{done}</Banner>}
        {wasIgnored && (
          <Banner tone="warn">The previous action was still running, so your last click was ignored. Try again.</Banner>
        )}
      </div>
    </>
  )
}
