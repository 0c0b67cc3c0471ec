import { lazy, Suspense, type ReactNode } from 'react'
import type { FrameContents } from '#server/pages/page-services.ts'
import type { Viewer } from '#web/features/auth/viewer.ts'
import { FloatingNotice } from './floating-notice.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { RouteChange } from './route-change.tsx'

// Fetched by officers alone, while they see the site as a member does; the server changes nothing then, also where this cannot be fetched.
const ViewBar = lazy(async () => ({ default: (await import('#web/features/auth/view-bar.tsx')).ViewBar }))

interface FrameProps {
  contents: FrameContents
  viewer: Viewer
  children: ReactNode
}

/** What surrounds every page. */
export function Frame({ contents, viewer, children }: FrameProps) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      {viewer.isView && (
        <Suspense>
          <ViewBar isOpen={viewer.status === 'member'} />
        </Suspense>
      )}
      <Header associationName={contents.association.name} committeesTerm={contents.committeesTerm} viewer={viewer} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer contents={contents} />
      {contents.notice && <FloatingNotice notice={contents.notice} count={1} />}
      <RouteChange />
    </>
  )
}
