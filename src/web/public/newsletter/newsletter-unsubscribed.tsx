import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { ResultPage } from '#web/ui/result-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/newsletter-unsubscribed'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'You are unsubscribed' })
}

export default function NewsletterUnsubscribedPage() {
  return (
    <ResultPage
      spot="empty"
      title="You are unsubscribed"
      actions={
        <>
          <ButtonLink variant="line" to={paths.home()}>
            Back to home
          </ButtonLink>
          <ButtonLink variant="line" to={paths.newsletter()}>
            Read past newsletters
          </ButtonLink>
        </>
      }
    >
      <p>We won't send any more newsletters to this address.</p>
      <p>
        <Link to={paths.unsubscribe()}>Unsubscribe another address</Link>, or{' '}
        <Link to={paths.subscribe()}>subscribe again</Link> whenever you like.
      </p>
    </ResultPage>
  )
}
