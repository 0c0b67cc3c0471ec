import { useSyncExternalStore } from 'react'
import { useSearchParams, type ShouldRevalidateFunctionArgs } from 'react-router'
import { NEWS_CATEGORIES } from '#contract/public/news.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { documentPaths, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta, placeOf } from '#web/app/title.ts'
import { CATEGORY_CHIP_LABELS, CategoryChips } from './category-chips.tsx'
import { NewsCard } from './news-card.tsx'
import { Announcer } from '#web/ui/announcer.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Spot } from '#web/ui/picture.tsx'
import type { Route } from './+types/news'

/** Loads all items; the chips filter them in the browser. */
export async function loader({ context, url }: Route.LoaderArgs) {
  return { items: await context.get(pageServicesContext).news(), category: url.searchParams.get('category') }
}

export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname && defaultShouldRevalidate
}

export function meta({ matches }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return [
    ...pageMeta({
      contents,
      title: 'News',
      description: `Announcements, reports from our events and clinic, and news of members of ${placeOf(contents).name}.`,
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
  const { items } = loaderData
  const category = useCategory(loaderData.category)
  const known = NEWS_CATEGORIES.find((name) => name === category)
  const shown = category ? items.filter((item) => item.category === category) : items
  return (
    <>
      <PageHead
        title="News"
        lead="What we have decided, what was said in the room, and what our members are proud of."
      />
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
