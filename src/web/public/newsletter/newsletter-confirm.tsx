import { useState } from 'react'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { EmailLinkButton } from './email-link-button.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/newsletter-confirm'

const ADDRESS = { names: ['token'], secrets: ['token'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Confirm your subscription' })
}

async function confirm(token: string): Promise<void> {
  const { confirmSubscriptionWithToken: confirmNewsletter } = await import('./newsletter-calls.ts')
  await confirmNewsletter(token)
}

/** Where the confirmation email's link leads (docs/product-rules.md#double-opt-in). */
export default function NewsletterConfirmPage() {
  const address = useReturnParameters(ADDRESS)
  const { association } = useFrameContents()
  const [hasFailed, setFailed] = useState(false)
  return (
    <ResultPage spot="mail" title="Confirm your subscription">
      <p>{association.newsletter.promise}</p>
      <NeedsScript email={association.email} />
      <EmailLinkButton
        label="Yes, send me the newsletter"
        busyLabel="Confirming"
        address={address}
        send={confirm}
        next={paths.newsletterSuccess()}
        fallbackMessage="Failed to subscribe. Please try again."
        onFailure={setFailed}
      />
      {hasFailed && (
        <p>
          <Link to={paths.subscribe()}>Request a new link</Link>
        </p>
      )}
    </ResultPage>
  )
}
