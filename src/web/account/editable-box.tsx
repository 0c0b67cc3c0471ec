import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Box } from './box.tsx'
import { SavedMessage } from './saved-message.tsx'

interface EditableBoxProps {
  title: string
  /** Opens the form. */
  editLabel: string
  canEdit?: boolean
  /** Shown for a moment after saving. */
  savedText: string
  renderForm(end: { cancel(): void; saved(): void }): ReactNode
  /** What the form changes. */
  children: ReactNode | ((saved: () => void) => ReactNode)
}

/** A box that shows something, or in its place the form that changes it. Closing the form returns the focus to the button that opened it. */
export function EditableBox({ title, editLabel, canEdit = true, savedText, renderForm, children }: EditableBoxProps) {
  const [mode, setMode] = useState<'view' | 'edit' | 'back'>('view')
  /** Counts what was saved since the form was last opened. */
  const [saves, setSaves] = useState<number | null>(null)

  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Most forms focus their first field themselves; in one whose fields the association defines, it may be of any kind.
    if (mode === 'edit' && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [mode])

  function saved() {
    setSaves((count) => (count ?? 0) + 1)
    setMode('back')
  }

  function open() {
    setSaves(null)
    setMode('edit')
  }

  const shown = typeof children === 'function' ? children(saved) : children
  return (
    <Box
      title={title}
      aside={
        canEdit &&
        mode !== 'edit' && (
          <Button variant="line" size="small" autoFocus={mode === 'back'} onClick={open}>
            {editLabel}
          </Button>
        )
      }
    >
      {mode === 'edit' ? <div ref={form}>{renderForm({ cancel: () => setMode('back'), saved })}</div> : shown}
      <SavedMessage text={savedText} at={saves} />
    </Box>
  )
}
