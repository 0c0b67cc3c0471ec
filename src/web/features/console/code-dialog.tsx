import { Dialog } from '#web/ui/dialog.tsx'
import { CodeForm } from './code-forms.tsx'

/** Above the page, before something sensitive is done: what was typed below it stays. */
export function CodeDialog({ open, onAnswer }: { open: boolean; onAnswer(isProved: boolean): void }) {
  return (
    <Dialog open={open} onClose={() => onAnswer(false)} title="Is it you?" width="30rem">
      <p>This changes something that matters. Please enter a fresh code to go on.</p>
      {open && <CodeForm label="Go on" onProved={() => onAnswer(true)} />}
    </Dialog>
  )
}
