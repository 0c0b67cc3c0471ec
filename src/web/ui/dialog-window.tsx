import { Dialog, DialogPanel, DialogTitle } from '@headlessui/react'
import type { CSSProperties, ReactNode } from 'react'
import { Icon } from './icon.tsx'

const CROSS = 'M18 6 6 18M6 6l12 12'

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
            <Icon d={CROSS} />
          </button>
        </DialogPanel>
      </div>
    </Dialog>
  )
}
