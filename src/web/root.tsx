import { useEffect, type ReactNode } from 'react'
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, useRouteLoaderData } from 'react-router'
import { setRegion } from '#contract/region.ts'
import { startBrowser } from './session/start-browser.ts'
import { useViewer } from './session/viewer.ts'
import { ErrorPage } from './app/failures/error-page.tsx'
import { Frame } from './app/frame.tsx'
import { BrandStyle } from './app/document/brand-style.tsx'
import { IconLinks } from './app/document/icon-links.tsx'
import { keepPlaceScript } from './app/document/keep-place.ts'
import { NoScript } from './app/document/no-script.tsx'
import { pageServicesContext } from './app/page-services-context.ts'
import { startScript } from './app/document/start-scripts.ts'
import { Styles } from './app/document/styles.tsx'
import { ThemeColor } from './app/document/theme-color.tsx'
import type { Route } from './+types/root'

/** Only failed pages keep these; every other page has its own. */
export const meta: Route.MetaFunction = ({ error }) => [
  { title: isRouteErrorResponse(error) && error.status === 404 ? 'Page not found' : 'Something went wrong' },
  { name: 'robots', content: 'noindex' },
]

export function loader({ context }: Route.LoaderArgs) {
  return context.get(pageServicesContext).rootData()
}

/** The frame is the same on every page: loaded once, never revalidated. */
export function shouldRevalidate() {
  return false
}

export function Layout({ children }: { children: ReactNode }) {
  const contents = useRouteLoaderData<typeof loader>('root')
  // Before anything below formats a day or an amount, on the server and in the browser.
  if (contents) setRegion(contents.region)
  const brand = contents?.association.brand
  return (
    <html lang="en-US">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ThemeColor brand={brand} />
        <meta name="format-detection" content="telephone=no" />
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
  return (
    <Frame contents={loaderData} viewer={viewer}>
      <Outlet />
    </Frame>
  )
}

/** Without the frame, whose data failed to load; failed pages are in `app/pages.tsx`. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <main id="main" tabIndex={-1}>
      <ErrorPage error={error} />
    </main>
  )
}
