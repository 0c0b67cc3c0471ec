import { Link } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { NewsletterForm } from '#web/features/newsletter/newsletter-form.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import type { Route } from './+types/newsletter-unsubscribe'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    contents: contentsOf(matches),
    title: 'Leave the newsletter',
    description: 'Take an address off the newsletter. It works at once.',
  })
}

async function send(email: string): Promise<string> {
  const { leaveNewsletter } = await import('#web/features/newsletter/newsletter-calls.ts')
  return leaveNewsletter(email)
}

export default function NewsletterUnsubscribePage() {
  const { association } = useFrameContents()
  return (
    <AnswerPage spot="mail" title="Leave the newsletter">
      <NeedsScript email={association.email} />
      <NewsletterForm button="Unsubscribe" refused="Failed to unsubscribe. Please try again." send={send} />
      <Banner tone="note" title="About the newsletter">
        <p>
          It comes two or three times a month, and leaving works at once. A last letter says so, with one tap to come
          back. Your membership is not touched: receipts and notices about it still reach you.
        </p>
      </Banner>
      <p>
        Something else? <Link to={paths.contact()}>Contact us</Link>, or{' '}
        <Link to={paths.newsletter()}>read past letters</Link>
      </p>
    </AnswerPage>
  )
}
