import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useOnceRead } from '#web/features/auth/return-address.ts'
import { explain } from '#web/features/forms/explain.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

interface LetterButtonProps {
  label: string
  busyLabel: string
  /** Of the letter's link, null until it was read; without a token the button says that the link is incomplete. */
  address: { token?: string } | null
  /** Throws when it was refused. */
  send(token: string): Promise<void>
  /** Where it leads when it is done. */
  next: string
  /** Said when the server gave no reason. */
  refused: string
  /** Called with whether it failed. */
  onFailure?(hasFailed: boolean): void
}

const INCOMPLETE = 'This link is incomplete. Please open the link in the email again.'

/** The button that a letter's link leads to: nothing happens until it is pressed, for mail programs open links too (docs/product-rules.md#double-opt-in). */
export function LetterButton({ label, busyLabel, address, send, next, refused, onFailure }: LetterButtonProps) {
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
      show(explain(error, { refused, network: 'An error occurred. Please try again.' }))
    }
    setSending(false)
  }

  const press = useOnceRead(address, ({ token }) => void sendWith(token))

  return (
    <>
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div className="buttons">
        <Button busy={isSending} busyLabel={busyLabel} onClick={press}>
          {label}
        </Button>
      </div>
    </>
  )
}
