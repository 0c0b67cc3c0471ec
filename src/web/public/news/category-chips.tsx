import { CATEGORY_LABELS, NEWS_CATEGORIES, type NewsCategory, type NewsItem } from '#contract/public/news.ts'
import { paths } from '#web/app/paths.ts'
import { Link } from '#web/ui/link.tsx'

/** The chips use the plural, because each stands for all items of a category. */
export const CATEGORY_CHIP_LABELS: Record<NewsCategory, string> = { ...CATEGORY_LABELS, announcement: 'Announcements' }

/** Links, because each category has its own URL; "All News" is the one without a query. */
export function CategoryChips({ items, category }: { items: NewsItem[]; category: string | null }) {
  const chips = [
    { name: 'All News', value: null, count: items.length },
    ...NEWS_CATEGORIES.map((value) => ({
      name: CATEGORY_CHIP_LABELS[value],
      value,
      count: items.filter((item) => item.category === value).length,
    })),
  ]
  return (
    <nav aria-label="Categories">
      <ul className="chips">
        {chips.map(({ name, value, count }) => (
          <li key={name}>
            <Link
              className="chip"
              to={value ? `${paths.news()}?category=${value}` : paths.news()}
              aria-current={value === category ? 'true' : undefined}
              preventScrollReset
            >
              {name} <span className="count">{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
