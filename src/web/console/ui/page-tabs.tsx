import { Link } from '#web/ui/link.tsx'

export interface PageTab {
  label: string
  to: string
  isCurrent: boolean
  count?: number | undefined
}

/** Links to the parts of one page, or to the saved views of a list. Each has an address of its own. */
export function PageTabs({
  label,
  tabs,
  children,
}: {
  label: string
  tabs: readonly PageTab[]
  children?: React.ReactNode
}) {
  return (
    <nav className="page-tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={tab.isCurrent ? 'page' : undefined} preventScrollReset>
          {tab.label}
          {tab.count !== undefined && <small>{tab.count.toLocaleString('en-US')}</small>}
        </Link>
      ))}
      {children}
    </nav>
  )
}
