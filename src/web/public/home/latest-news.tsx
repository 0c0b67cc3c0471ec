import type { NewsItem } from '#contract/public/news.ts'
import { contentPaths, paths } from '#web/app/paths.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { NewsMeta } from '../news/news-meta.tsx'

/** The maximum for this section (docs/product-rules.md#latest-news). */
const MOST_SHOWN = 5

/** The first item is large, the others are rows next to it; renders nothing without news. */
export function LatestNews({ items }: { items: NewsItem[] }) {
  const [lead, ...others] = items.slice(0, MOST_SHOWN)
  if (!lead) return null
  return (
    <section className="section">
      <div className="wrap">
        <div className="head">
          <h2>Latest news</h2>
          <MoreLink to={paths.news()}>View All News</MoreLink>
        </div>
        <div className={others.length > 0 ? 'two' : undefined}>
          <article className="news-lead">
            <Picture src={imageUrl(lead.imageKey)} alt="" width={1200} height={900} />
            <NewsMeta item={lead} />
            <h3>
              <Link to={contentPaths.article(lead.id)}>{lead.title}</Link>
            </h3>
            <p className="soft">{lead.excerpt}</p>
          </article>
          {others.length > 0 && (
            <ul className="news-rows">
              {others.map((item) => (
                <li key={item.id}>
                  <Picture src={imageUrl(item.imageKey)} alt="" width={1200} height={900} />
                  <div>
                    <NewsMeta item={item} />
                    <h3>
                      <Link to={contentPaths.article(item.id)}>{item.title}</Link>
                    </h3>
                    <p className="soft">{item.excerpt}</p>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </section>
  )
}
