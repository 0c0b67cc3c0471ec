import { pageServicesContext } from '#web/app/page-services-context.ts'
import { requirePart } from '#web/public/require-part.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta, associationOf } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { useBotCheck } from '#web/session/bot-check.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { NewsletterForm } from './newsletter-form.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/newsletter-subscribe'

export function loader({ context }: Route.LoaderArgs) {
  return requirePart(context.get(pageServicesContext), 'newsletter')
}

export function meta({ matches }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return pageMeta({
    contents,
    title: 'Subscribe to the newsletter',
    description: `${associationOf(contents).newsletter.promise} Unsubscribe anytime.`,
  })
}

export default function NewsletterSubscribePage() {
  const botCheck = useBotCheck()
  const { association } = useFrameContents()

  async function send(email: string): Promise<string> {
    const recaptchaToken = await botCheck('newsletter_subscribe')
    const { requestSubscription: askForNewsletter } = await import('./newsletter-calls.ts')
    return askForNewsletter({ email, source: 'subscribe-page', recaptchaToken })
  }

  return (
    <ResultPage spot="mail" title="Subscribe to the newsletter">
      <p>{association.newsletter.promise}</p>
      <NeedsScript email={association.email} />
      <NewsletterForm button="Subscribe" refused="Failed to subscribe. Please try again." send={send} />
      <p>
        Want a preview? <Link to={paths.newsletter()}>Read past newsletters</Link>
      </p>
      <p>
        Already subscribed? <Link to={paths.unsubscribe()}>Unsubscribe</Link>
      </p>
    </ResultPage>
  )
}
