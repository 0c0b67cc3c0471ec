import { Banner } from '#web/ui/banner.tsx'

/** Says that an event is canceled, with the officer's message. */
export function CanceledEventBanner({ text }: { text: string }) {
  return (
    <Banner tone="warn" title="This event is canceled">
      {text}
    </Banner>
  )
}
