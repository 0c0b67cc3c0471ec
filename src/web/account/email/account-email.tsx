import { useEffect, useRef, useState } from 'react'
import type { confirmEmail } from '#contract/public/account-email.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { SupportLine } from '#web/shared/support-line.tsx'
import { useWhenRead, useReturnParameters } from '#web/session/return-parameters.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import type { Route } from './+types/account-email'

type Confirmed = ReplyOf<typeof confirmEmail>

const ADDRESS = { names: ['token'], secrets: ['token'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Confirm your email address' })
}

/**
 * Where the confirmation email's link leads. Nothing happens until the button is clicked, because mail programs open
 * links too (docs/product-rules.md#links-change-nothing).
 */
export default function AccountEmailPage() {
  const address = useReturnParameters(ADDRESS)
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
      const { confirmNewEmail } = await import('../confirm-email.ts')
      if (token) setConfirmed(await confirmNewEmail(token))
      else setFailure(messages.link.required)
    } catch (cause) {
      const failed = 'Failed to change email address. Please try again.'
      setFailure(errorMessage(cause, { refused: failed, network: failed }))
    }
    setSending(false)
  }

  const handleClick = useWhenRead(address, ({ token }) => void confirm(token))

  if (confirmed) {
    const { email, choosePassword } = confirmed
    return (
      <ResultPage
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
          From now on you log in with <strong>{email}</strong> or your username. We also emailed your previous address
          about this.
        </p>
        {choosePassword && (
          <p>
            Our office requested this change, so your old password no longer works. Choose a new one now, or later with
            "Forgot your password?".
          </p>
        )}
      </ResultPage>
    )
  }
  return (
    <ResultPage spot="mail" title="Use this email address?" titleRef={titleRef}>
      <p>Your account will use the address where you received this link. Nothing changes until you click the button.</p>
      <NeedsScript email={association.email} />
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div className="buttons">
        <Button busy={isSending} busyLabel="Confirming" onClick={handleClick}>
          Use this address
        </Button>
      </div>
      {failure && <SupportLine />}
    </ResultPage>
  )
}
