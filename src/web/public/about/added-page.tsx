import { data } from 'react-router'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { imageUrl } from '#web/ui/image-url.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { ContentsPanel, MoreLinks } from './side-panel.tsx'
import type { Route } from './+types/added-page'

/** A page that officers added. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const page = await context.get(pageServicesContext).addedPage(params.address)
  if (!page) throw data(null, { status: 404 })
  return page
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { title, description } = loaderData
  return pageMeta({ contents: contentsOf(matches), title, description })
}

export default function AddedPage({ loaderData: page }: Route.ComponentProps) {
  const { title, description, html, contents, picture, more } = page
  return (
    <>
      <PageHead title={title} lead={description} />
      <div className="wrap section">
        <div className={contents.length > 0 || more.length > 0 ? 'passage panel-first' : undefined}>
          <div className="words">
            {picture && (
              <figure className="passage-picture">
                <Picture src={imageUrl(picture.name)} alt={picture.alt} width={1200} height={750} />
              </figure>
            )}
            {/* Sanitized on the server. */}
            <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
          </div>
          {contents.length > 0 && <ContentsPanel contents={contents} />}
          {contents.length === 0 && more.length > 0 && (
            <aside className="detail-panel panel" aria-label="Related pages">
              <MoreLinks more={more} />
            </aside>
          )}
        </div>
        {contents.length > 0 && more.length > 0 && <MoreLinks more={more} />}
      </div>
    </>
  )
}
