import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/newsletter-unsubscribed'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'You are unsubscribed' })
}

export default function NewsletterUnsubscribedPage() {
  return (
    <AnswerPage
      spot="empty"
      title="You are unsubscribed"
      actions={<ButtonLink to={paths.home()}>Back to home</ButtonLink>}
    >
      <p>No more newsletters come to this address.</p>
      <p>
        Is there another address? <Link to={paths.leaveNewsletter()}>Take it off too</Link>
      </p>
    </AnswerPage>
  )
}
