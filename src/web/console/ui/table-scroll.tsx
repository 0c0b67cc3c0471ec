import type { ReactNode } from 'react'

/** A table that may be wider than its place. It takes focus, so that the arrow keys scroll it. */
export function TableScroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="table-scroll" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  )
}
