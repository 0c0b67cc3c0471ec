import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** A part of a page that could not be loaded. */
export function TryAgain({ message, onRetry }: { message: string; onRetry(): Promise<void> }) {
  return (
    <Banner tone="bad" role="alert">
      <p>{message}</p>
      <Button variant="line" size="small" onClick={() => void onRetry()}>
        Try again
      </Button>
    </Banner>
  )
}
