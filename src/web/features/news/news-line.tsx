import { writeDay } from '#contract/days.ts'
import { CATEGORY_LABELS, type NewsItem } from '#contract/news.ts'

/** What kind of news, and from when. */
export function NewsLine({ item: { category, date } }: { item: NewsItem }) {
  return (
    <p className="meta">
      {CATEGORY_LABELS[category]}, <time dateTime={date}>{writeDay(date)}</time>
    </p>
  )
}
