import { Dialog, DialogPanel, DialogTitle } from '@headlessui/react'
import { useRef, type CSSProperties, type ReactNode } from 'react'
import { Icon } from '../icon.tsx'

const CROSS = 'M18 6 6 18M6 6l12 12'

export interface DialogProps {
  open: boolean
  onClose(): void
  title: string
  children: ReactNode
  /** Any CSS length; 40rem by default. */
  width?: string
  /**
   * Whether closing cancels what is in progress. Otherwise the dialog stays open until it is done and can show the
   * result.
   */
  closesWhileBusy?: boolean
}

/** Loaded on demand by dialog.tsx; import that instead. */
export function DialogWindow(props: DialogProps) {
  const { open, onClose, title, children, width = '40rem', closesWhileBusy = false } = props
  const panel = useRef<HTMLDivElement | null>(null)

  function close() {
    if (closesWhileBusy || !panel.current?.querySelector('button[aria-busy=true]')) onClose()
  }

  return (
    <Dialog open={open} onClose={close} className="dialog-layer">
      <div className="dialog-backdrop" aria-hidden="true" />
      <div className="dialog-scroll">
        <DialogPanel ref={panel} className="dialog" style={{ '--dialog-width': width } as CSSProperties}>
          <DialogTitle>{title}</DialogTitle>
          {children}
          {/* Takes the focus unless something in `children` has autoFocus. */}
          <button type="button" className="icon" aria-label="Close" data-autofocus="" onClick={close}>
            <Icon d={CROSS} />
          </button>
        </DialogPanel>
      </div>
    </Dialog>
  )
}
