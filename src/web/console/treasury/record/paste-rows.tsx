import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { readPasted, type PastedRow } from './payment-rows.rules.ts'

/** Adds rows from a spreadsheet. What they are for, and how they were paid, is as in the last payment of the form. */
export function PasteRows({ onPaste }: { onPaste(rows: PastedRow[]): void }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const pasted = readPasted(text)
  const rows = 'rows' in pasted ? pasted.rows : null
  return (
    <>
      <Button variant="line" onClick={() => setOpen(true)}>
        Paste from a spreadsheet
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Paste payments" width="40rem">
        <div className="stack">
          <p>
            Copy the columns email, amount, check number and, if you have it, the day. What the payments are for and how
            they were paid is taken from the last payment of the form.
          </p>
          <TextArea
            label="Rows"
            name="rows"
            rows={8}
            value={text}
            onChange={({ target }) => setText(target.value)}
            {...(text !== '' && 'problem' in pasted && { error: pasted.problem })}
          />
          <div className="buttons">
            <Button
              disabled={rows === null || text.trim() === ''}
              onClick={() => {
                if (rows) onPaste(rows)
                setOpen(false)
                setText('')
              }}
            >
              {rows && text.trim() !== ''
                ? `Add ${rows.length === 1 ? '1 payment' : `${rows.length} payments`}`
                : 'Add payments'}
            </Button>
            <Button variant="line" onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
