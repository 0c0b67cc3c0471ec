import { formatDay } from '#contract/dates/days.ts'
import type { NewsArticle } from '#contract/public/news.ts'
import { Link } from '#web/ui/link.tsx'
import { Portrait } from '../people/portrait.tsx'
import type { ListedLeader } from '../people/listed-leader.ts'

interface BylineProps {
  article: Pick<NewsArticle, 'author' | 'authorRole' | 'date'>
  /** null unless a leader with a portrait wrote it. */
  writer: ListedLeader | null
}

/** Who wrote an article, and when; a leader with portrait and office. */
export function Byline({ article: { author, authorRole, date }, writer }: BylineProps) {
  const day = <time dateTime={date}>{formatDay(date)}</time>
  const role = authorRole ?? writer?.role
  if (!writer) {
    return (
      <p className="meta byline">
        {[author, role].filter(Boolean).join(', ')}, {day}
      </p>
    )
  }
  return (
    <div className="byline written">
      <Portrait picture={{ ...writer.portrait, alt: '' }} displayWidth="5.5rem" />
      <p>
        <Link to={writer.path}>{author}</Link>
        <span className="meta">
          {role && `${role}, `}
          {day}
        </span>
      </p>
    </div>
  )
}
