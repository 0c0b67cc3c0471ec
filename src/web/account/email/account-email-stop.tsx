import { useEffect, useRef, useState } from 'react'
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
import type { Route } from './+types/account-email-stop'

const ADDRESS = { names: ['token'], secrets: ['token'] } as const
const FAILED = 'The change could not be stopped. Please try again.'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Stop a change of email address' })
}

/** Where "This was not me" leads. Nothing happens until the button is pressed, for mail programs open links too. */
export default function StopEmailChangePage() {
  const address = useReturnAddress(ADDRESS)
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
      const { stopChange } = await import('#web/features/account/confirm-email.ts')
      if (token) {
        await stopChange(token)
        setStopped(true)
      } else setFailure(messages.link.required)
    } catch (cause) {
      setFailure(explain(cause, { refused: FAILED, network: FAILED }))
    }
    setSending(false)
  }

  const press = useOnceRead(address, ({ token }) => void stop(token))

  if (isStopped) {
    return (
      <AnswerPage
        spot="lamp"
        title="The change was stopped"
        titleRef={titleRef}
        actions={<ButtonLink to={paths.login()}>Log in</ButtonLink>}
      >
        <p>The account keeps the email address it has. We told our officers.</p>
      </AnswerPage>
    )
  }
  return (
    <AnswerPage spot="mail" title="Stop the change of your email address?" titleRef={titleRef}>
      <p>
        Our office was asked to move your account to another email address. If you did not ask for that, stop it here:
        the account stays as it is.
      </p>
      <NeedsScript email={association.email} />
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div className="buttons">
        <Button busy={isSending} busyLabel="Stopping" onClick={press}>
          Stop the change
        </Button>
      </div>
      {failure && <SupportLine />}
    </AnswerPage>
  )
}
