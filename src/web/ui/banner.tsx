import type { ReactNode, Ref } from 'react'

interface BannerProps {
  tone: 'note' | 'good' | 'warn' | 'bad'
  title?: string
  children?: ReactNode
  /** `alert` interrupts a reader, `status` waits; left out for what stands on the page from the start. */
  role?: 'status' | 'alert'
  /** The banner takes the focus from script but is no stop for the Tab key. */
  ref?: Ref<HTMLDivElement>
}

export function Banner({ tone, title, children, role, ref }: BannerProps) {
  return (
    <div className={`banner ${tone}`} role={role} ref={ref} tabIndex={-1}>
      <div>
        {title && <strong>{title}</strong>}
        {typeof children === 'string' ? <p>{children}</p> : children}
      </div>
    </div>
  )
}
