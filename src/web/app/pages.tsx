import { Outlet, useLocation, useParams, useRouteLoaderData } from 'react-router'
import type { RootData } from '#server/pages/page-services.ts'
import { useViewer } from '#web/session/viewer.ts'
import { ErrorPage } from './failures/error-page.tsx'
import { SiteFrame, useIsBare } from './frame.tsx'
import { isIndexed } from './indexed.ts'
import type { Route } from './+types/pages'

/** Around every page, within the frame: when a page fails, the frame and the document stay as they are. */
export default function Pages() {
  return (
    <>
      <SearchEngineTags />
      <Outlet />
    </>
  )
}

function SearchEngineTags() {
  const { pathname } = useLocation()
  const contents = useRouteLoaderData<RootData>('root')
  // The not-found page (`*`) has no canonical URL.
  const isNowhere = '*' in useParams()
  if (!contents || contents.isUnfinished || isNowhere || !isIndexed(pathname))
    return <meta name="robots" content="noindex" />
  return (
    <>
      <link rel="canonical" href={contents.siteUrl + pathname} />
      <meta property="og:url" content={contents.siteUrl + pathname} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={contents.association.name} />
    </>
  )
}

/** A failed page, on the console and the card within the frame of the public pages. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const contents = useRouteLoaderData<RootData>('root')
  const viewer = useViewer()
  const isBare = useIsBare()
  const page = <ErrorPage error={error} />
  if (!isBare || !contents) return page
  return (
    <SiteFrame contents={contents} viewer={viewer}>
      {page}
    </SiteFrame>
  )
}
