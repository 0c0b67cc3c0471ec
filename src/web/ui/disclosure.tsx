import type { ReactNode } from 'react'

/** Opens and closes without script. */
export function Fold({ summary, open, children }: { summary: string; open?: boolean; children: ReactNode }) {
  return (
    <details className="fold" open={open}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
