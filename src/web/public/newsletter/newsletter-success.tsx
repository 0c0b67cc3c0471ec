import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { ResultPage } from '#web/ui/result-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import type { Route } from './+types/newsletter-success'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'You are subscribed' })
}

export default function NewsletterSuccessPage() {
  return (
    <ResultPage
      spot="lotus"
      title="You are subscribed"
      actions={
        <>
          <ButtonLink to={paths.home()}>Back to home</ButtonLink>
          <ButtonLink variant="line" to={paths.news()}>
            Read the news
          </ButtonLink>
        </>
      }
    >
      <p>You're on the list. The next newsletter will come to your inbox.</p>
    </ResultPage>
  )
}
