import type { ReactNode, Ref } from 'react'

interface BannerProps {
  tone: 'note' | 'good' | 'warn' | 'bad'
  title?: string
  children?: ReactNode
  /** `alert` interrupts a screen reader, `status` waits; leave it out for banners that are there from the start. */
  role?: 'status' | 'alert'
  /** Scripts can focus the banner, but it is not in the tab order. */
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
