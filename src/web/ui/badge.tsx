import type { ReactNode } from 'react'

export function Badge({
  tone = 'marigold',
  children,
}: {
  tone?: 'marigold' | 'quiet' | 'ok' | 'warn' | 'bad'
  children: ReactNode
}) {
  return <span className={tone === 'marigold' ? 'badge' : `badge ${tone}`}>{children}</span>
}
