import type { ReactNode } from 'react'

interface SheetProps {
  title?: string
  danger?: boolean
  /** Stands opposite the title: a badge or a small button. */
  aside?: ReactNode
  children: ReactNode
}

export function Sheet({ title, danger, aside, children }: SheetProps) {
  return (
    <section className={danger ? 'sheet danger' : 'sheet'}>
      {title && (
        <div className="sheet-head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}
