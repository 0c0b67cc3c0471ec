import { Icon } from '#web/ui/icon.tsx'
import { accountIcons } from '../account-icons.ts'
import { useAttempt } from '../use-attempt.ts'
import { saveReceipt } from './membership-payments.calls.ts'

interface DownloadButtonProps {
  /** The button's accessible name. */
  label: string
  /** What is downloaded, as in "The receipt could not be loaded." */
  what: string
  save(): Promise<void>
}

/** Downloads a file of the member. */
export function DownloadButton({ label, what, save }: DownloadButtonProps) {
  const { isBusy, hasFailed, run } = useAttempt(save)
  return (
    <>
      <button type="button" className="icon plain" aria-label={label} aria-busy={isBusy || undefined} onClick={run}>
        <Icon d={accountIcons.data} />
      </button>
      {hasFailed && <p role="alert">The {what} could not be loaded. Please try again.</p>}
    </>
  )
}

export function ReceiptButton({ number }: { number: string }) {
  return <DownloadButton label={`Download receipt ${number}`} what="receipt" save={() => saveReceipt(number)} />
}
