import type { ReactNode } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from '../ui/console-icons.ts'
import type { Selection } from './use-selection.ts'

interface BulkBarProps {
  selection: Selection
  /** How many rows match the filters on all pages. */
  total: number
  /** Buttons for what can be done with the selected rows. */
  children: ReactNode
}

/** What can be done with the selected rows, at the foot of the list while any are selected. */
export function BulkBar({ selection, total, children }: BulkBarProps) {
  if (selection.count === 0) return null
  return (
    <div className="bulk-bar" role="region" aria-label="Selected rows">
      <strong role="status">{selection.count.toLocaleString('en-US')} selected</strong>
      {selection.isPageSelected && !selection.isAll && total > selection.count && (
        <button type="button" className="text-button" onClick={selection.selectAll}>
          Select all {total.toLocaleString('en-US')}
        </button>
      )}
      {children}
      <button type="button" className="bulk-clear" aria-label="Clear selection" onClick={selection.clear}>
        <Icon d={ICONS.cross} />
      </button>
    </div>
  )
}
