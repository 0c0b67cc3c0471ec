import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useWhenRead } from '#web/session/return-parameters.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

interface EmailLinkButtonProps {
  label: string
  variant?: 'solid' | 'line'
  busyLabel: string
  /** The parameters of the email's link, null until read. Without a token the button reports an incomplete link. */
  address: { token?: string } | null
  /** Throws if the server rejects the token. */
  send(token: string): Promise<void>
  /** The page to open afterwards. */
  next: string
  /** The message if the server gave no reason. */
  fallbackMessage: string
  /** Called with true after a failure, and with false when a new attempt begins. */
  onFailure?(hasFailed: boolean): void
}

const INCOMPLETE = 'This link is incomplete. Please open the link in the email again.'

/**
 * The button on the page that an email's link opens. Nothing happens until it is clicked, because mail programs open
 * links too (docs/product-rules.md#double-opt-in).
 */
export function EmailLinkButton({
  label,
  variant,
  busyLabel,
  address,
  send,
  next,
  fallbackMessage: refused,
  onFailure,
}: EmailLinkButtonProps) {
  const navigate = useNavigate()
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')

  function show(sentence: string) {
    setFailure(sentence)
    onFailure?.(sentence !== '')
  }

  async function sendWith(token: string | undefined) {
    setSending(true)
    show('')
    try {
      if (token) {
        await send(token)
        await navigate(next, { replace: true })
        return
      }
      show(INCOMPLETE)
    } catch (error) {
      show(errorMessage(error, { refused, network: 'An error occurred. Please try again.' }))
    }
    setSending(false)
  }

  const handleClick = useWhenRead(address, ({ token }) => void sendWith(token))

  return (
    <>
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div className="buttons">
        <Button variant={variant} busy={isSending} busyLabel={busyLabel} onClick={handleClick}>
          {label}
        </Button>
      </div>
    </>
  )
}
