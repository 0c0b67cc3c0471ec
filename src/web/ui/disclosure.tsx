import type { ReactNode } from 'react'

/** Opens and closes without script. */
export function Disclosure({ summary, open, children }: { summary: string; open?: boolean; children: ReactNode }) {
  return (
    <details className="disclosure" open={open}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
