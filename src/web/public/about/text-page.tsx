import { data } from 'react-router'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/text-page'

/** Pages that are only text. The pathname without its slash is the page's key. */
export async function loader({ context, url }: Route.LoaderArgs) {
  // NOTE: not `request.url`, which ends in '.data' on client-side navigation.
  const page = await context.get(pageServicesContext).textPage(url.pathname.slice(1))
  if (!page) throw data(null, { status: 404 })
  return page
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { title, description } = loaderData
  return pageMeta({ contents: contentsOf(matches), title, description })
}

export default function TextPage({ loaderData: { title, html, version, updatedOn } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title={title}
        lead={
          <>
            Version {version}, in force since <time dateTime={updatedOn}>{longDate(updatedOn)}</time>
          </>
        }
      />
      <div className="wrap section">
        {/* Sanitized on the server when it was saved. */}
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      </div>
    </>
  )
}

/** 'March 7, 2023' for `2023-03-07`, in every time zone (docs/product-rules.md#the-associations-day). */
function longDate(day: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}
