import { useEffect, useState } from 'react'
import { localStore } from '#web/session/browser-storage.ts'

export type ArchiveView = 'grid' | 'list'

const KEY = 'archiveView'

/** The archive's layout: cards by default, then the layout last chosen in this browser. */
export function useArchiveView(): [ArchiveView, (view: ArchiveView) => void] {
  const [view, setView] = useState<ArchiveView>('grid')

  useEffect(() => {
    if (localStore.get(KEY) === 'list') setView('list')
  }, [])

  return [
    view,
    (chosen) => {
      localStore.set(KEY, chosen)
      setView(chosen)
    },
  ]
}
