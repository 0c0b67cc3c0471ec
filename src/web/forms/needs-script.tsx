import { Banner } from '#web/ui/banner.tsx'

/** Forms are sent by script. Without it, this says so and offers email instead. */
export function NeedsScript({ email }: { email: string }) {
  return (
    <noscript>
      <Banner tone="note">
        <p>
          This form needs JavaScript. Please turn it on and load the page again, or write to{' '}
          <a href={`mailto:${email}`}>{email}</a>.
        </p>
      </Banner>
    </noscript>
  )
}
