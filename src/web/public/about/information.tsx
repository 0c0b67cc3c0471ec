import { data } from 'react-router'
import type { TextPage } from '#contract/public/association.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { Link } from '#web/ui/link.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { Picture, Spot, type SpotName } from '#web/ui/picture.tsx'
import type { Route } from './+types/information'

/** A text page with a picture, aims or services, and a fact panel. The pathname without its slash is the page's key. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const page = await context.get(pageServicesContext).textPage(url.pathname.slice(1))
  if (!page) throw data(null, { status: 404 })
  return page
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { title, description } = loaderData
  return pageMeta({ contents: contentsOf(matches), title, description })
}

export default function InformationPage({ loaderData: page }: Route.ComponentProps) {
  const { title, lead, items, html, picture } = page
  return (
    <>
      <PageHead title={title} lead={lead} />
      {items.length > 0 && <Items items={items} />}
      <div className="wrap section">
        <div className="passage">
          <div>
            {picture && (
              <figure className="passage-picture">
                <Picture src={imageUrl(picture.name)} alt={picture.alt} width={1200} height={750} />
              </figure>
            )}
            {/* Sanitized on the server. */}
            <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
          </div>
          <FactsPanel page={page} />
        </div>
      </div>
    </>
  )
}

function Items({ items }: Pick<TextPage, 'items'>) {
  return (
    <div className="wrap section">
      <ul className="services">
        {items.map((item) => (
          <li key={item.title}>
            <Spot name={item.spot as SpotName} />
            <div>
              <h2>{item.title}</h2>
              <p className="soft">{item.text}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

function FactsPanel({ page: { facts, more } }: { page: TextPage }) {
  if (facts.length === 0 && more.length === 0) return null
  return (
    <aside className="detail-panel panel" aria-label="At a glance">
      <dl className="details">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {more.length > 0 && (
        <ul className="more-links">
          {more.map(({ label, path }) => (
            <li key={path}>
              <Link to={path}>{label}</Link>
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}
