import { useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from './console-icons.ts'

/** How long a toast stays, in milliseconds; longer with something to press. */
const STAY_MS = { plain: 6_000, withUndo: 10_000 }

interface Toast {
  id: number
  text: string
  tone: 'good' | 'bad'
  /** Reverses what was done. Rejects with an error whose message is shown. */
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
  return (
    <div className="toasts">
      <div role="status">
        {shown
          .filter(({ tone }) => tone === 'good')
          .map((toast) => (
            <ShownToast key={toast.id} toast={toast} />
          ))}
      </div>
      <div role="alert">
        {shown
          .filter(({ tone }) => tone === 'bad')
          .map((toast) => (
            <ShownToast key={toast.id} toast={toast} />
          ))}
      </div>
    </div>
  )
}

function ShownToast({ toast: { id, text, tone, undo, retry } }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const hasUndo = undo !== undefined

  useEffect(() => {
    if (isHeld || isBusy || tone === 'bad') return
    const timer = setTimeout(() => remove(id), hasUndo ? STAY_MS.withUndo : STAY_MS.plain)
    return () => clearTimeout(timer)
  }, [id, tone, isHeld, isBusy, hasUndo])

  async function reverse() {
    setBusy(true)
    try {
      await undo?.()
      remove(id)
    } catch (failure) {
      remove(id)
      showFailure(failure instanceof Error && failure.message ? failure.message : 'This could not be undone.')
    }
  }

  const hold = (held: boolean) => () => setHeld(held)
  return (
    <div
      className={`toast ${tone}`}
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocus={hold(true)}
      onBlur={hold(false)}
    >
      <Icon d={tone === 'good' ? ICONS.check : ICONS.alert} />
      <span>{text}</span>
      {undo && (
        <button type="button" disabled={isBusy} onClick={() => void reverse()}>
          Undo
        </button>
      )}
      {retry && (
        <button
          type="button"
          onClick={() => {
            remove(id)
            retry()
          }}
        >
          Try again
        </button>
      )}
      <button type="button" className="toast-close" aria-label="Close message" onClick={() => remove(id)}>
        <Icon d={ICONS.cross} />
      </button>
    </div>
  )
}
