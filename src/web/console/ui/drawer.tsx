import { Dialog, DialogPanel, DialogTitle } from '@headlessui/react'
import type { ReactNode } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from './console-icons.ts'

interface DrawerProps {
  open: boolean
  onClose(): void
  title: string
  /** `end`, on the right, is for forms beside a list; `start` for the navigation. */
  side?: 'start' | 'end'
  children: ReactNode
}

/** A panel at the side of the screen, for a small form while its list stays in view; on a phone the whole screen. */
export function Drawer({ open, onClose, title, side = 'end', children }: DrawerProps) {
  return (
    <Dialog open={open} onClose={onClose} className="dialog-layer">
      <div className="dialog-backdrop" aria-hidden="true" />
      <DialogPanel className={`drawer ${side}`}>
        <div className="drawer-head">
          <DialogTitle>{title}</DialogTitle>
          <button type="button" className="icon" aria-label="Close" data-autofocus="" onClick={onClose}>
            <Icon d={ICONS.cross} />
          </button>
        </div>
        {children}
      </DialogPanel>
    </Dialog>
  )
}
