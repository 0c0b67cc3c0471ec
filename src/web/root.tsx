import { useEffect, type ReactNode } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  useLocation,
  useParams,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import { setRegion } from '#contract/region.ts'
import { startBrowser } from './session/start-browser.ts'
import { useViewer } from './session/viewer.ts'
import { ErrorPage } from './app/error-page.tsx'
import { Frame } from './app/frame.tsx'
import { BrandStyle } from './app/document/brand-style.tsx'
import { IconLinks } from './app/document/icon-links.tsx'
import { keepPlaceScript } from './app/document/keep-place.ts'
import { NoScript } from './app/document/no-script.tsx'
import { isIndexed } from './app/indexed.ts'
import { paths } from './app/paths.ts'
import { pageServicesContext } from './app/page-services-context.ts'
import { startScript } from './app/document/start-scripts.ts'
import { Styles } from './app/document/styles.tsx'
import { ThemeColor } from './app/document/theme-color.tsx'
import { useCurrentPath } from './ui/link.tsx'
import type { Route } from './+types/root'

/** Only failed pages keep this title; every other page sets its own. */
export const meta: Route.MetaFunction = ({ error }) => [
  { title: isRouteErrorResponse(error) && error.status === 404 ? 'Page not found' : 'Something went wrong' },
]

export function loader({ context }: Route.LoaderArgs) {
  return context.get(pageServicesContext).rootData()
}

/** The frame is the same on every page: loaded once, never revalidated. */
export function shouldRevalidate() {
  return false
}

export function Layout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const contents = useRouteLoaderData<typeof loader>('root')
  // Before anything below formats a day or an amount, on the server and in the browser.
  if (contents) setRegion(contents.region)
  // A dynamic route may match an id without content. Without an error this is null outside an error boundary, and
  // undefined inside.
  const failed = (useRouteError() ?? null) !== null
  // The not-found page (`*`) has no canonical URL.
  const isNowhere = '*' in useParams()
  const brand = contents?.association.brand
  const indexed = isIndexed(pathname) && !failed && !isNowhere && !contents?.isUnfinished
  return (
    <html lang="en-US">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ThemeColor brand={brand} />
        <meta name="format-detection" content="telephone=no" />
        {!indexed && <meta name="robots" content="noindex" />}
        {indexed && contents && (
          <>
            <link rel="canonical" href={contents.siteUrl + pathname} />
            <meta property="og:url" content={contents.siteUrl + pathname} />
            <meta property="og:type" content="website" />
            <meta property="og:site_name" content={contents.association.name} />
          </>
        )}
        <Meta />
        <Styles typefaces={brand?.typefaces} />
        {brand && <BrandStyle brand={brand} />}
        <IconLinks brand={brand} />
        <Links />
        <NoScript />
      </head>
      <body>
        {children}
        <Scripts />
        <script
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? `${keepPlaceScript()};${startScript()}` : '' }}
          suppressHydrationWarning
        />
      </body>
    </html>
  )
}

export default function Root({ loaderData }: Route.ComponentProps) {
  const viewer = useViewer()
  // Runs once per document: the root's loader data never changes.
  useEffect(() => startBrowser(loaderData), [loaderData])
  const path = useCurrentPath()
  const isBare = path.startsWith(paths.console()) || path === paths.card()
  return (
    <Frame contents={loaderData} viewer={viewer} isBare={isBare}>
      <Outlet />
    </Frame>
  )
}

/** A failed page inside the frame, or without it if the frame's own data failed to load. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const contents = useRouteLoaderData<typeof loader>('root')
  const viewer = useViewer()
  if (!contents) {
    return (
      <main id="main" tabIndex={-1}>
        <ErrorPage error={error} />
      </main>
    )
  }
  return (
    <Frame contents={contents} viewer={viewer}>
      <ErrorPage error={error} />
    </Frame>
  )
}
