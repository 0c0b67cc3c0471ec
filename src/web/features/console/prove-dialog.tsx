import type { Way } from '#contract/access.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ProveForm } from './prove-form.tsx'

/** Above the page, before something sensitive is done: what was typed below it stays. */
export function ProveDialog({
  open,
  ways,
  onAnswer,
}: {
  open: boolean
  ways: readonly Way[]
  onAnswer(isProved: boolean): void
}) {
  return (
    <Dialog open={open} onClose={() => onAnswer(false)} title="Is it you?" width="30rem" closesWhileBusy>
      <p>This changes something that matters. Please confirm once more that it is you.</p>
      {open && <ProveForm ways={ways} label="Go on" onProved={() => onAnswer(true)} />}
    </Dialog>
  )
}
