import { Button } from '#web/ui/button.tsx'

/** The button that confirms a step; nothing once it is done. */
export function Confirm({
  label,
  busy,
  isDone: done,
  onConfirm,
}: {
  label: string
  busy: boolean
  isDone: boolean
  onConfirm(): void
}) {
  if (done) return null
  return (
    <div>
      <Button variant="line" busy={busy} busyLabel="Saving" onClick={onConfirm}>
        {label}
      </Button>
    </div>
  )
}
