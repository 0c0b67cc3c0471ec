import { dateFormat } from '#contract/formatters.ts'
import { data } from 'react-router'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import { ContentsPanel } from './side-panel.tsx'
import type { Route } from './+types/text-page'

/** Pages that are only text, with a list of contents if they are long. The pathname without its slash is the page's key. */
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

export default function TextPage({ loaderData: page }: Route.ComponentProps) {
  const { title, lead, html, version, updatedOn, contents } = page
  return (
    <>
      <PageHead
        isPlain
        title={title}
        lead={lead}
        eyebrow={
          <>
            In force since <time dateTime={updatedOn}>{longDate(updatedOn)}</time>
          </>
        }
      />
      <div className="wrap section">
        <div className={contents.length > 0 ? 'passage panel-first' : undefined}>
          <div>
            {/* Sanitized on the server when it was saved. */}
            <div className="prose legal-text" dangerouslySetInnerHTML={{ __html: html }} />
            <p className="small soft version">Version {version}</p>
          </div>
          {contents.length > 0 && <ContentsPanel contents={contents} />}
        </div>
      </div>
    </>
  )
}

/** 'March 7, 2023' for `2023-03-07`, in every time zone (docs/product-rules.md#the-associations-day). */
function longDate(day: string): string {
  return dateFormat({ dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}
