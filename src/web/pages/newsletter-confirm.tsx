import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { useReturnAddress } from '#web/features/auth/return-address.ts'
import { explain } from '#web/features/forms/explain.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import type { Route } from './+types/newsletter-confirm'

const ADDRESS = { names: ['token'], secrets: ['token'] } as const
const INCOMPLETE = 'This link is incomplete. Please open the link in the email again.'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Confirm the newsletter' })
}

/** Where the link in a letter leads: nothing happens until the button is pressed, for mail programs open links too (decision D1). */
export default function NewsletterConfirmPage() {
  const navigate = useNavigate()
  const address = useReturnAddress(ADDRESS)
  const { association } = useFrameContents()
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')

  async function confirm() {
    setSending(true)
    setFailure('')
    try {
      const { confirmNewsletter } = await import('#web/features/newsletter/newsletter-calls.ts')
      if (address?.token) {
        await confirmNewsletter(address.token)
        await navigate(paths.newsletterSuccess(), { replace: true })
        return
      }
      setFailure(INCOMPLETE)
    } catch (error) {
      setFailure(
        explain(error, {
          refused: 'Failed to subscribe. Please try again.',
          network: 'An error occurred. Please try again.',
        }),
      )
    }
    setSending(false)
  }

  return (
    <AnswerPage spot="mail" title="Shall we write to you?">
      <p>Two or three letters a month: events, clinic dates and colleagues’ news.</p>
      <NeedsScript email={association.email} />
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div className="buttons">
        <Button busy={isSending} busyLabel="Confirming" onClick={() => void confirm()}>
          Yes, send me the newsletter
        </Button>
      </div>
      {failure && (
        <p>
          <Link to={paths.subscribe()}>Ask for a new link</Link>
        </p>
      )}
    </AnswerPage>
  )
}
