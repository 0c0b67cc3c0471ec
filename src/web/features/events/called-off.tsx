import { Banner } from '#web/ui/banner.tsx'

/** Why an event does not take place, in an officer's words. */
export function CalledOff({ words }: { words: string }) {
  return (
    <Banner tone="warn" title="This event is called off">
      {words}
    </Banner>
  )
}
