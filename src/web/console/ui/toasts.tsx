import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import { officerErrorMessage } from '../shell/call-as-officer.ts'
import { ICONS } from './console-icons.ts'
import { useNextFocus } from './use-next-focus.ts'

/** How long a toast stays, in milliseconds; longer with something to press. */
const STAY_MS = { plain: 6_000, withUndo: 10_000 }

interface Toast {
  id: number
  text: string
  tone: 'good' | 'bad'
  /** Reverses what was done. Can be called again after it failed. */
  undo?: () => Promise<void> | void
  /** Repeats what failed. */
  retry?: () => void
}

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

function setToasts(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Says at the foot of the screen that something was done; `undo` adds a button that reverses it. */
export function showToast(text: string, { undo }: { undo?: () => Promise<void> | void } = {}): void {
  setToasts([...toasts, { id: nextId++, text, tone: 'good' as const, ...(undo && { undo }) }].slice(-3))
}

/** Says that something failed; it stays until it is closed or tried again. */
export function showFailure(text: string, { retry }: { retry?: () => void } = {}): void {
  setToasts([...toasts, { id: nextId++, text, tone: 'bad' as const, ...(retry && { retry }) }].slice(-3))
}

/** Removes all toasts, as when another officer logs in. */
export function clearToasts(): void {
  setToasts([])
}

const remove = (id: number) => setToasts(toasts.filter((toast) => toast.id !== id))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The messages of the last moments; mounted once, in the console's frame. */
export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => toasts,
  )
  const focusedBefore = useRef<HTMLElement | null>(null)
  const moveFocus = useNextFocus(shown)

  function close(id: number) {
    moveFocus(() => focusedBefore.current)
    remove(id)
  }

  const shownAs = (tone: Toast['tone']) =>
    shown
      .filter((toast) => toast.tone === tone)
      .map((toast) => <ShownToast key={toast.id} toast={toast} onClose={close} />)
  return (
    <div
      className="toasts"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget)) return
        focusedBefore.current = relatedTarget instanceof HTMLElement ? relatedTarget : null
      }}
    >
      <div role="status">{shownAs('good')}</div>
      <div role="alert">{shownAs('bad')}</div>
    </div>
  )
}

function ShownToast({ toast, onClose }: { toast: Toast; onClose(id: number): void }) {
  const { id, text, tone, undo, retry } = toast
  const [isHeld, setHeld] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const hasUndo = undo !== undefined
  const isBad = tone === 'bad' || failure !== null

  useEffect(() => {
    if (isHeld || isBusy || isBad) return
    const timer = setTimeout(() => remove(id), hasUndo ? STAY_MS.withUndo : STAY_MS.plain)
    return () => clearTimeout(timer)
  }, [id, isBad, isHeld, isBusy, hasUndo])

  async function reverse() {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await undo?.()
      onClose(id)
      showToast('Undone.')
    } catch (cause) {
      const message = officerErrorMessage(cause)
      if (toasts.includes(toast)) setFailure(message)
      else showFailure(message)
    }
    setBusy(false)
  }

  const hold = (held: boolean) => () => setHeld(held)
  return (
    <div
      className={`toast ${isBad ? 'bad' : 'good'}`}
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocus={hold(true)}
      onBlur={hold(false)}
    >
      <Icon d={isBad ? ICONS.alert : ICONS.check} />
      <div>
        {text}
        {failure && <p role="alert">{failure}</p>}
      </div>
      {undo && (
        <button type="button" aria-busy={isBusy || undefined} onClick={() => void reverse()}>
          Undo
        </button>
      )}
      {retry && (
        <button
          type="button"
          onClick={() => {
            onClose(id)
            retry()
          }}
        >
          Try again
        </button>
      )}
      <button type="button" className="toast-close" aria-label="Close message" onClick={() => onClose(id)}>
        <Icon d={ICONS.cross} />
      </button>
    </div>
  )
}
