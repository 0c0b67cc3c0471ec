import { useState } from 'react'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { useReturnAddress } from '#web/features/auth/return-address.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { LetterButton } from '#web/features/newsletter/letter-button.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/newsletter-confirm'

const ADDRESS = { names: ['token'], secrets: ['token'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Confirm the newsletter' })
}

async function confirm(token: string): Promise<void> {
  const { confirmNewsletter } = await import('#web/features/newsletter/newsletter-calls.ts')
  await confirmNewsletter(token)
}

/** Where the link of the letter that asks leads (docs/product-rules.md#double-opt-in). */
export default function NewsletterConfirmPage() {
  const address = useReturnAddress(ADDRESS)
  const { association } = useFrameContents()
  const [hasFailed, setFailed] = useState(false)
  return (
    <AnswerPage spot="mail" title="Shall we write to you?">
      <p>Two or three letters a month: events, clinic dates and colleagues’ news.</p>
      <NeedsScript email={association.email} />
      <LetterButton
        label="Yes, send me the newsletter"
        busyLabel="Confirming"
        address={address}
        send={confirm}
        next={paths.newsletterSuccess()}
        refused="Failed to subscribe. Please try again."
        onFailure={setFailed}
      />
      {hasFailed && (
        <p>
          <Link to={paths.subscribe()}>Ask for a new link</Link>
        </p>
      )}
    </AnswerPage>
  )
}
