import type { SecondFactor } from '#contract/access.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

/** Reauthenticates the officer in a dialog before a sensitive action; input on the page is kept. */
export function ReauthenticationDialog({
  open,
  factors,
  onAnswer,
}: {
  open: boolean
  factors: readonly SecondFactor[]
  onAnswer(isProved: boolean): void
}) {
  return (
    <Dialog open={open} onClose={() => onAnswer(false)} title="Confirm it’s you" width="30rem" closesWhileBusy>
      <p>This is a sensitive action. Please log in again to continue.</p>
      {open && <SecondFactorForm factors={factors} label="Continue" onProved={() => onAnswer(true)} />}
    </Dialog>
  )
}
