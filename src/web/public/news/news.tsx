import { useSyncExternalStore } from 'react'
import { useSearchParams, type ShouldRevalidateFunctionArgs } from 'react-router'
import { NEWS_CATEGORIES } from '#contract/public/news.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { documentPaths, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { CATEGORY_CHIP_LABELS, CategoryChips } from './category-chips.tsx'
import { NewsCard } from './news-card.tsx'
import { Announcer } from '#web/ui/announcer.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Spot } from '#web/ui/picture.tsx'
import type { Route } from './+types/news'

/** Loads all items; the chips filter them in the browser. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [items, head] = await Promise.all([services.news(), services.pageHead('news')])
  return { items, head, category: url.searchParams.get('category') }
}

export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname && defaultShouldRevalidate
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return [
    ...pageMeta({
      contents,
      title: 'News',
      description: loaderData?.head.description,
    }),
    {
      tagName: 'link',
      rel: 'alternate',
      type: 'application/rss+xml',
      href: documentPaths.newsFeed(),
      title: 'News feed',
    },
  ]
}

export default function NewsPage({ loaderData }: Route.ComponentProps) {
  const { items, head } = loaderData
  const category = useCategory(loaderData.category)
  const known = NEWS_CATEGORIES.find((name) => name === category)
  const shown = category ? items.filter((item) => item.category === category) : items
  return (
    <>
      <PageHead title="News" lead={head.lead} />
      <div className="wrap section news">
        <CategoryChips items={items} category={category} />
        <Announcer message={shown.length === 1 ? '1 item' : `${shown.length} items`} />
        {shown.length > 0 ? (
          <>
            <h2 className="visually-hidden">{known ? CATEGORY_CHIP_LABELS[known] : 'All News'}</h2>
            <div className="grid">
              {shown.map((item, index) => (
                <NewsCard key={item.id} item={item} first={index === 0} />
              ))}
            </div>
          </>
        ) : (
          <div className="empty">
            <Spot name="empty" isPriority />
            <h2>No news found</h2>
            <ButtonLink to={paths.news()} variant="line">
              View all news
            </ButtonLink>
          </div>
        )}
        <p className="small soft">
          Prefer a feed reader? Follow <a href={documentPaths.newsFeed()}>the news feed</a>.
        </p>
      </div>
    </>
  )
}

/**
 * The category in the query; null for all. The server ignores unknown categories, so hydration starts with
 * the server's value.
 */
function useCategory(rendered: string | null): string | null {
  const [query] = useSearchParams()
  return useSyncExternalStore(
    neverChanges,
    () => query.get('category') || null,
    () => rendered,
  )
}

function neverChanges() {
  return () => {}
}
