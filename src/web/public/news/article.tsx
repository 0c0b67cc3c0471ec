import { data } from 'react-router'
import { CATEGORY_LABELS, type NewsItem } from '#contract/public/news.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { sharePicture } from '#web/app/share-picture.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { Byline } from './byline.tsx'
import { findListedLeader } from '../people/listed-leader.ts'
import { articleStructuredData } from './article-structured-data.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { NewsCard } from './news-card.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import type { Route } from './+types/article'

export async function loader({ context, params }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [article, items] = await Promise.all([services.article(params.id), services.news()])
  if (!article) throw data(null, { status: 404 })
  return { article, more: moreNews(items, article), writer: await findListedLeader(services, article.author) }
}

/** The nearest items, of the same category first. */
function moreNews(items: readonly NewsItem[], { id, category }: NewsItem): NewsItem[] {
  const at = items.findIndex((item) => item.id === id)
  const nearest = items
    .map((item, index) => ({ item, distance: Math.abs(index - at) }))
    .filter(({ distance }) => distance > 0)
    .sort((a, b) => a.distance - b.distance)
    .map(({ item }) => item)
  const same = nearest.filter((item) => item.category === category)
  return [...same, ...nearest.filter((item) => item.category !== category)].slice(0, MORE_SHOWN)
}

const MORE_SHOWN = 2

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { article } = loaderData
  const contents = contentsOf(matches)
  return [
    ...pageMeta({
      contents,
      title: article.title,
      description: article.excerpt,
      sharePicture: sharePicture(article.imageKey),
    }),
    ...(contents ? [articleStructuredData(article, contents)] : []),
  ]
}

export default function ArticlePage({ loaderData: { article, more, writer } }: Route.ComponentProps) {
  const { title, excerpt, category, about, imageKey, html } = article
  return (
    <article className="article">
      <PageHead title={title} lead={excerpt} eyebrow={CATEGORY_LABELS[category]} />
      <div className="wrap section article-column">
        <Byline article={article} writer={writer} />
        <figure className="passage-picture">
          <Picture src={imageUrl(imageKey)} alt="" width={1200} height={750} isPriority />
        </figure>
        {/* Sanitized on the server. */}
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        {about && (
          <aside className="panel article-about" aria-label="What this is about">
            <h2>
              <Link to={about.path}>{about.label}</Link>
            </h2>
          </aside>
        )}
      </div>
      {more.length > 0 && (
        <section className="section ground" aria-labelledby="more-news">
          <div className="wrap news">
            <div className="head">
              <h2 id="more-news">More news</h2>
              <MoreLink to={paths.news()}>All news</MoreLink>
            </div>
            <div className="article-more">
              {more.map((item) => (
                <NewsCard key={item.id} item={item} />
              ))}
            </div>
          </div>
        </section>
      )}
    </article>
  )
}
