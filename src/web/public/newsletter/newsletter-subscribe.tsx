import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { useBotCheck } from '#web/features/auth/bot-check.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { NewsletterForm } from '#web/features/newsletter/newsletter-form.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/newsletter-subscribe'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    contents: contentsOf(matches),
    title: 'Subscribe to the newsletter',
    description: 'Two or three letters a month: events, clinic dates and colleagues’ news. Leave whenever you like.',
  })
}

export default function NewsletterSubscribePage() {
  const botCheck = useBotCheck()
  const { association } = useFrameContents()

  async function send(email: string): Promise<string> {
    const recaptchaToken = await botCheck('newsletter_subscribe')
    const { askForNewsletter } = await import('#web/features/newsletter/newsletter-calls.ts')
    return askForNewsletter({ email, source: 'subscribe-page', recaptchaToken })
  }

  return (
    <AnswerPage spot="mail" title="Subscribe to the newsletter">
      <p>Two or three letters a month: events, clinic dates and colleagues’ news.</p>
      <NeedsScript email={association.email} />
      <NewsletterForm button="Subscribe" refused="Failed to subscribe. Please try again." send={send} />
      <p>
        Curious first? <Link to={paths.newsletter()}>Read past letters</Link>
      </p>
      <p>
        Had enough? <Link to={paths.leaveNewsletter()}>Leave the newsletter</Link>
      </p>
    </AnswerPage>
  )
}
