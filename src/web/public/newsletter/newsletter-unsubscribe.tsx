import { useState } from 'react'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { EmailLinkButton } from './email-link-button.tsx'
import { NewsletterForm } from './newsletter-form.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/newsletter-unsubscribe'

const ADDRESS = { names: ['token'], secrets: ['token'] } as const
const REFUSED = 'Failed to unsubscribe. Please try again.'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    contents: contentsOf(matches),
    title: 'Unsubscribe from the newsletter',
    description: 'Unsubscribe an address from the newsletter. It takes effect right away.',
  })
}

/** Unsubscribes with the token of a newsletter's link; no address needed. */
async function unsubscribeByLink(token: string): Promise<void> {
  const { unsubscribeWithToken: leaveByLink } = await import('./newsletter-calls.ts')
  await leaveByLink(token)
}

async function unsubscribe(email: string): Promise<string> {
  const { unsubscribeAddress: leaveNewsletter } = await import('./newsletter-calls.ts')
  return leaveNewsletter(email)
}

export default function NewsletterUnsubscribePage() {
  const address = useReturnParameters(ADDRESS)
  const { association } = useFrameContents()
  const [hasFailed, setFailed] = useState(false)
  return (
    <ResultPage spot="mail" title="Unsubscribe from the newsletter">
      <NeedsScript email={association.email} />
      {address?.token && (
        <EmailLinkButton
          label="Unsubscribe me"
          variant="line"
          busyLabel="Unsubscribing"
          address={address}
          send={unsubscribeByLink}
          next={paths.newsletterUnsubscribed()}
          fallbackMessage={REFUSED}
          onFailure={setFailed}
        />
      )}
      {(!address?.token || hasFailed) && (
        <NewsletterForm button="Unsubscribe" variant="line" refused={REFUSED} send={unsubscribe} />
      )}
      <Banner tone="note" title="About the newsletter">
        <p>
          Two or three emails a month. Unsubscribing takes effect right away, and one last email confirms it, with a
          link to resubscribe. Your membership isn't affected: you'll still get receipts and emails about it.
        </p>
      </Banner>
      <p>
        Too many emails, or the wrong ones? <Link to={paths.contact()}>Contact us</Link>, or{' '}
        <Link to={paths.newsletter()}>read past newsletters</Link>.
      </p>
    </ResultPage>
  )
}
