import { useEffect, useEffectEvent } from 'react'
import { areShortcutsOn, isTyping } from '#web/console/frame/use-shortcuts.ts'

/** Moves through the queue with j and k, approves with a, asks with q. */
export function useQueueKeys({
  ids,
  chosenId,
  onChoose,
  onApprove,
  onAsk,
}: {
  ids: readonly string[]
  chosenId: string | null
  onChoose(id: string): void
  onApprove(): void
  onAsk(): void
}): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event) || !areShortcutsOn() || document.querySelector('[role=dialog]')) return
    const at = ids.findIndex((id) => id === chosenId)
    const next = event.key === 'j' ? ids[at + 1] : event.key === 'k' ? ids[at - 1] : undefined
    if (next !== undefined) {
      onChoose(next)
      document.querySelector<HTMLElement>(`[data-credential="${CSS.escape(next)}"]`)?.focus()
    } else if (event.key === 'a') onApprove()
    else if (event.key === 'q') onAsk()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
