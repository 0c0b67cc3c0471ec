import { useEffect, useRef, useState } from 'react'
import type { confirmEmail } from '#contract/account-email.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { SupportLine } from '#web/features/association/support-line.tsx'
import { useOnceRead, useReturnAddress } from '#web/features/auth/return-address.ts'
import { explain } from '#web/features/forms/explain.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import type { Route } from './+types/account-email'

type Confirmed = ReplyOf<typeof confirmEmail>

const ADDRESS = { names: ['token'], secrets: ['token'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Confirm your email address' })
}

/** Where the link in a letter leads: nothing happens until the button is pressed, for mail programs open links too (docs/product-rules.md#links-change-nothing). */
export default function AccountEmailPage() {
  const address = useReturnAddress(ADDRESS)
  const { association } = useFrameContents()
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')
  const [confirmed, setConfirmed] = useState<Confirmed | null>(null)
  const titleRef = useRef<HTMLHeadingElement | null>(null)

  useEffect(() => {
    if (confirmed) titleRef.current?.focus()
  }, [confirmed])

  async function confirm(token: string | undefined) {
    setSending(true)
    setFailure('')
    try {
      const { confirmNewEmail } = await import('#web/features/account/confirm-email.ts')
      if (token) setConfirmed(await confirmNewEmail(token))
      else setFailure(messages.link.required)
    } catch (cause) {
      const failed = 'Failed to change email address. Please try again.'
      setFailure(explain(cause, { refused: failed, network: failed }))
    }
    setSending(false)
  }

  const press = useOnceRead(address, ({ token }) => void confirm(token))

  if (confirmed) {
    const { email, choosePassword } = confirmed
    return (
      <AnswerPage
        spot="lamp"
        title="Your email address was changed"
        titleRef={titleRef}
        actions={
          choosePassword ? (
            <ButtonLink to={`${paths.resetPassword()}?${new URLSearchParams(choosePassword)}`}>
              Choose a password
            </ButtonLink>
          ) : (
            <ButtonLink to={paths.account()}>Go to your account</ButtonLink>
          )
        }
      >
        <p>
          From now on you log in with <strong>{email}</strong> or your username. We also sent a letter about this to
          your former address.
        </p>
        {choosePassword && (
          <p>
            Our office asked for this change, so the former password no longer works. Choose a new one now, or later
            with "Forgot your password?".
          </p>
        )}
      </AnswerPage>
    )
  }
  return (
    <AnswerPage spot="mail" title="Use this email address?" titleRef={titleRef}>
      <p>Your account moves to the address where you found this link. Nothing changes until you use the button.</p>
      <NeedsScript email={association.email} />
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div className="buttons">
        <Button busy={isSending} busyLabel="Confirming" onClick={press}>
          Use this address
        </Button>
      </div>
      {failure && <SupportLine />}
    </AnswerPage>
  )
}
