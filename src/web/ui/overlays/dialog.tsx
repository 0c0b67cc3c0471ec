import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import type { DialogProps } from './dialog-window.tsx'
import { LoadFailure } from '../load-failure.tsx'

/**
 * A modal dialog; Escape, the backdrop and its button close it. The library is loaded when a dialog first opens, so a
 * dialog that never opens costs nothing.
 */
export function Dialog(props: DialogProps) {
  const [Window, setWindow] = useState<ComponentType<DialogProps> | null>(() => loaded)
  const [failed, setFailed] = useState(false)
  const { open, onClose } = props
  const close = useEffectEvent(onClose)

  useEffect(() => {
    if (!open || Window) return
    let current = true
    setFailed(false)
    // Rendering the dialog takes a slow phone a tenth of a second, so paint the pressed button first.
    Promise.all([preloadDialog(), nextPaint()]).then(
      ([component]) => current && setWindow(() => component),
      () => {
        if (!current) return
        setFailed(true)
        // A dialog left in the open state could not be opened by the next click.
        close()
      },
    )
    return () => {
      current = false
    }
  }, [open, Window])

  useEffect(() => {
    if (!open) return
    // The library returns the focus to the opener, but the first time it loads too late to know it.
    const opener = document.activeElement
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
      })
    }
  }, [open])

  if (Window) return <Window {...props} />
  return failed ? <LoadFailure /> : null
}

function nextPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

let loaded: ComponentType<DialogProps> | null = null

/** Can be called early, when the pointer approaches a control that opens a dialog. */
export async function preloadDialog(): Promise<ComponentType<DialogProps>> {
  const { DialogWindow } = await import('./dialog-window.tsx')
  loaded = DialogWindow
  return DialogWindow
}
