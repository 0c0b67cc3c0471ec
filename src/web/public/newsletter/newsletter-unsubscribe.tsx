import { useState } from 'react'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { useReturnAddress } from '#web/features/auth/return-address.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { LetterButton } from '#web/features/newsletter/letter-button.tsx'
import { NewsletterForm } from '#web/features/newsletter/newsletter-form.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/newsletter-unsubscribe'

const ADDRESS = { names: ['token'], secrets: ['token'] } as const
const REFUSED = 'Failed to unsubscribe. Please try again.'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    contents: contentsOf(matches),
    title: 'Leave the newsletter',
    description: 'Take an address off the newsletter. It works at once.',
  })
}

/** By the link of a newsletter: no address to type. */
async function leave(token: string): Promise<void> {
  const { leaveByLink } = await import('#web/features/newsletter/newsletter-calls.ts')
  await leaveByLink(token)
}

async function send(email: string): Promise<string> {
  const { leaveNewsletter } = await import('#web/features/newsletter/newsletter-calls.ts')
  return leaveNewsletter(email)
}

export default function NewsletterUnsubscribePage() {
  const address = useReturnAddress(ADDRESS)
  const { association } = useFrameContents()
  const [hasFailed, setFailed] = useState(false)
  return (
    <AnswerPage spot="mail" title="Leave the newsletter">
      <NeedsScript email={association.email} />
      {address?.token && (
        <LetterButton
          label="Leave the newsletter"
          busyLabel="Leaving"
          address={address}
          send={leave}
          next={paths.newsletterUnsubscribed()}
          refused={REFUSED}
          onFailure={setFailed}
        />
      )}
      {(!address?.token || hasFailed) && <NewsletterForm button="Unsubscribe" refused={REFUSED} send={send} />}
      <Banner tone="note" title="About the newsletter">
        <p>
          It comes two or three times a month, and leaving works at once. One last letter confirms it, with one tap to
          come back. Your membership is not affected: receipts and notices about it still reach you.
        </p>
      </Banner>
      <p>
        Something else? <Link to={paths.contact()}>Contact us</Link>, or{' '}
        <Link to={paths.newsletter()}>read past letters</Link>
      </p>
    </AnswerPage>
  )
}
