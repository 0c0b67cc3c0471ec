import { useEffect, useRef, useState } from 'react'
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
import type { Route } from './+types/account-email-stop'

const ADDRESS = { names: ['token'], secrets: ['token'] } as const
const FAILED = 'The change could not be stopped. Please try again.'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Stop a change of email address' })
}

/**
 * Where the email's "This was not me" link leads. Nothing happens until the button is clicked, because mail programs
 * open links too.
 */
export default function StopEmailChangePage() {
  const address = useReturnParameters(ADDRESS)
  const { association } = useFrameContents()
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')
  const [isStopped, setStopped] = useState(false)
  const titleRef = useRef<HTMLHeadingElement | null>(null)

  useEffect(() => {
    if (isStopped) titleRef.current?.focus()
  }, [isStopped])

  async function stop(token: string | undefined) {
    setSending(true)
    setFailure('')
    try {
      const { cancelEmailChange: stopChange } = await import('../confirm-email.ts')
      if (token) {
        await stopChange(token)
        setStopped(true)
      } else setFailure(messages.link.required)
    } catch (cause) {
      setFailure(errorMessage(cause, { refused: FAILED, network: FAILED }))
    }
    setSending(false)
  }

  const handleClick = useWhenRead(address, ({ token }) => void stop(token))

  if (isStopped) {
    return (
      <ResultPage
        spot="lamp"
        title="The change was stopped"
        titleRef={titleRef}
        actions={<ButtonLink to={paths.login()}>Log in</ButtonLink>}
      >
        <p>The account keeps its current email address. We have notified our officers.</p>
      </ResultPage>
    )
  }
  return (
    <ResultPage spot="mail" title="Stop the change of your email address?" titleRef={titleRef}>
      <p>
        Our office was asked to move your account to another email address. If you did not ask for that, stop it here
        and your account will not change.
      </p>
      <NeedsScript email={association.email} />
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div className="buttons">
        <Button busy={isSending} busyLabel="Stopping" onClick={handleClick}>
          Stop the change
        </Button>
      </div>
      {failure && <SupportLine />}
    </ResultPage>
  )
}
