import { data } from 'react-router'
import { formatDay } from '#contract/dates/days.ts'
import { CATEGORY_LABELS } from '#contract/public/news.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contentPaths, paths } from '#web/app/paths.ts'
import { sharePicture } from '#web/app/share-picture.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { articleStructuredData } from './article-structured-data.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { PreviousNext } from '#web/ui/previous-next.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import type { Route } from './+types/article'

export async function loader({ context, params }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [article, items] = await Promise.all([services.article(params.id), services.news()])
  if (!article) throw data(null, { status: 404 })
  const index = items.findIndex(({ id }) => id === article.id)
  const [newer, older] = [items[index - 1], items[index + 1]].map((item) => item && { id: item.id, title: item.title })
  return { article, newer, older }
}

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

export default function ArticlePage({ loaderData: { article, newer, older } }: Route.ComponentProps) {
  const { title, excerpt, category, date, author, imageKey, html } = article
  return (
    <article className="article">
      <PageHead title={title} lead={excerpt} eyebrow={CATEGORY_LABELS[category]} />
      <div className="wrap section article-column">
        <p className="meta byline">
          {author}, <time dateTime={date}>{formatDay(date)}</time>
        </p>
        <figure className="passage-picture">
          <Picture src={imageUrl(imageKey)} alt="" width={1200} height={750} isPriority />
        </figure>
        {/* Sanitized on the server. */}
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        <PreviousNext
          label="More news"
          all={<MoreLink to={paths.news()}>All news</MoreLink>}
          previous={older && { title: older.title, to: contentPaths.article(older.id) }}
          next={newer && { title: newer.title, to: contentPaths.article(newer.id) }}
        />
      </div>
    </article>
  )
}
