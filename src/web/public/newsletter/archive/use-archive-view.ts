import { useEffect, useState } from 'react'
import { localStore } from '#web/features/auth/browser-storage.ts'

export type ArchiveView = 'grid' | 'list'

const KEY = 'archiveView'

/** How the archive is laid out: as cards at first, and as this browser last had it. */
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
