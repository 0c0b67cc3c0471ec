import type { ReactNode } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, Spinner } from '#web/ui/loading.tsx'
import type { Loaded } from './use-loaded.ts'

interface ConsolePageProps {
  title: string
  /** Above the title: the way back to the list that the record belongs to. */
  crumb?: ReactNode
  /** Before the title, such as a person's initials. */
  mark?: ReactNode
  /** Beside the title: the state of the record. */
  status?: ReactNode
  /** One sentence that says what the page is for. */
  lead?: ReactNode
  /** The page's primary action, opposite the title. */
  action?: ReactNode
  children: ReactNode
}

/** The heading and layout of every console page. */
export function ConsolePage({ title, crumb, mark, status, lead, action, children }: ConsolePageProps) {
  return (
    <div className="console-page">
      {crumb && <p className="crumbs">{crumb}</p>}
      <div className="head">
        {mark}
        <div>
          <div className="console-title-line">
            <h1 tabIndex={-1} className="console-title">
              {title}
            </h1>
            {status}
          </div>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </div>
  )
}

/** Shows the loaded value, a skeleton while loading, or an error with a retry button. */
export function WhenLoaded<T>({
  loaded,
  what,
  children,
}: {
  loaded: Loaded<T>
  /** For example 'members'. */
  what: string
  children(value: T): ReactNode
}) {
  const { value, failure, isLoading, reload } = loaded
  return (
    <>
      {failure && (
        <Banner tone="bad" role="alert">
          <p>{failure}</p>
          <Button variant="line" size="small" busy={isLoading} busyLabel="Retrying" onClick={reload}>
            Try again
          </Button>
        </Banner>
      )}
      {value === null && !failure && (
        <div className="flow">
          <Spinner text={`Loading ${what}...`} />
          <Skeleton height="3.5rem" />
          <Skeleton height="3.5rem" />
          <Skeleton height="3.5rem" />
        </div>
      )}
      {value !== null && children(value)}
    </>
  )
}
