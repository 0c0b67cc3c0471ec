import { lazy, Suspense, type ReactNode } from 'react'
import type { RootData } from '#server/pages/page-services.ts'
import type { Viewer } from '#web/session/viewer.ts'
import { useCurrentPath } from '#web/ui/link.tsx'
import { FloatingAnnouncement } from './announcement/floating-announcement.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { isInConsole, paths } from './paths.ts'
import { RouteChange } from './route-change.tsx'

// Loaded only while an officer views the site as a member. If it fails to load, the server still rejects changes.
const ViewBar = lazy(async () => ({ default: (await import('#web/session/member-view-bar.tsx')).MemberViewBar }))

// Few sites have one.
const SiteNotice = lazy(async () => ({ default: (await import('./site-notice.tsx')).SiteNotice }))

// The same elements each time: an update before the script is here would take the server's markup off the page.
const DEMO_NOTICE = (
  <Suspense>
    <SiteNotice about="demo" />
  </Suspense>
)
const UNFINISHED_NOTICE = (
  <Suspense>
    <SiteNotice about="unfinished" />
  </Suspense>
)

interface FrameProps {
  contents: RootData
  viewer: Viewer
  children: ReactNode
}

/** Whether the page brings its own header and main landmark. */
export function useIsBare(): boolean {
  const path = useCurrentPath()
  return isInConsole(path) || path === paths.card()
}

/** What is around every page; around public ones, with header and footer. */
export function Frame({ contents, viewer, children }: FrameProps) {
  const isBare = useIsBare()
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      {contents.isDemo && DEMO_NOTICE}
      {viewer.isMemberView && (
        <Suspense>
          <ViewBar isOpen={viewer.status === 'member'} />
        </Suspense>
      )}
      {isBare ? children : <SiteFrame {...{ contents, viewer, children }} />}
      <RouteChange />
    </>
  )
}

/** The header, footer and landmarks around every public page. */
export function SiteFrame({ contents, viewer, children }: FrameProps) {
  return (
    <>
      <Header contents={contents} viewer={viewer} />
      <main id="main" tabIndex={-1}>
        {contents.isUnfinished && UNFINISHED_NOTICE}
        {children}
      </main>
      <Footer contents={contents} />
      {contents.announcement && <FloatingAnnouncement announcement={contents.announcement} count={1} />}
    </>
  )
}
