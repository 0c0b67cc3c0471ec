import { Dialog, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'

export interface DialogProps {
  open: boolean
  onClose(): void
  title: string
  children: ReactNode
  /** Any CSS length; 40rem unless told. */
  width?: string
}

/** Fetched on demand by dialog.tsx; import that. */
export function DialogWindow({ open, onClose, title, children, width = '40rem' }: DialogProps) {
  return (
    <Dialog open={open} onClose={onClose} className="dialog-layer">
      <div className="dialog-backdrop" aria-hidden="true" />
      <div className="dialog-scroll">
        <DialogPanel className="dialog" style={{ '--dialog-width': width } as CSSProperties}>
          <DialogTitle>{title}</DialogTitle>
          {children}
          {/* Takes the focus unless something in `children` has autoFocus. */}
          <button type="button" className="icon" aria-label="Close" data-autofocus="" onClick={onClose}>
            <X aria-hidden="true" />
          </button>
        </DialogPanel>
      </div>
    </Dialog>
  )
}
