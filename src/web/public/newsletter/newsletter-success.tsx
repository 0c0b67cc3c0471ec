import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import type { Route } from './+types/newsletter-success'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'You are subscribed' })
}

export default function NewsletterSuccessPage() {
  return (
    <AnswerPage
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
      <p>The next newsletter comes to you. Thank you for reading along.</p>
    </AnswerPage>
  )
}
