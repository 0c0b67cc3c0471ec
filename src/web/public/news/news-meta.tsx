import { formatDay } from '#contract/dates/days.ts'
import { CATEGORY_LABELS, type NewsItem } from '#contract/public/news.ts'

/** The category and date of a news item. */
export function NewsMeta({ item: { category, date } }: { item: NewsItem }) {
  return (
    <p className="meta">
      {CATEGORY_LABELS[category]}, <time dateTime={date}>{formatDay(date)}</time>
    </p>
  )
}
