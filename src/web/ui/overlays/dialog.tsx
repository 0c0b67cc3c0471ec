import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import type { DialogProps } from './dialog-window.tsx'
import { LoadFailure } from './load-failure.tsx'

/**
 * A window above the page; Escape, the backdrop and its button close it. The library behind it is fetched when a dialog
 * first opens, so a dialog that nobody opens costs nothing.
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
    // Building the window takes a slow phone a tenth of a second: what was touched is painted before.
    Promise.all([preloadDialog(), nextPaint()]).then(
      ([component]) => current && setWindow(() => component),
      () => {
        if (!current) return
        setFailed(true)
        // What stayed open could not be opened by the next press.
        close()
      },
    )
    return () => {
      current = false
    }
  }, [open, Window])

  useEffect(() => {
    if (!open) return
    // The library gives the focus back to what had it, but the first time it arrives too late to know.
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

/** May be called when the pointer comes near a control that opens a dialog. */
export async function preloadDialog(): Promise<ComponentType<DialogProps>> {
  const { DialogWindow } = await import('./dialog-window.tsx')
  loaded = DialogWindow
  return DialogWindow
}
