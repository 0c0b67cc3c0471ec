/** The news categories, in the order of their filter chips. */
export const NEWS_CATEGORIES = ['news', 'announcement', 'member-news'] as const

export type NewsCategory = (typeof NEWS_CATEGORIES)[number]

/** The label of a single item. */
export const CATEGORY_LABELS: Record<NewsCategory, string> = {
  news: 'General News',
  announcement: 'Announcement',
  'member-news': 'Member News',
}

/** A news item as shown in lists. */
export interface NewsItem {
  /** Also its URL, `/news/{id}`. */
  id: string
  title: string
  /** `YYYY-MM-DD`. */
  date: string
  excerpt: string
  category: NewsCategory
  author: string
  /** Such as 'Program Committee'. */
  authorRole?: string | undefined
  /** A name under `/art/`, or a path that begins with a slash. */
  imageKey: string
}

export interface NewsArticle extends NewsItem {
  /** A page that the article is about, such as an event; a path of this site. */
  about?: { label: string; path: string } | undefined
  /** Its content as sanitized HTML. */
  html: string
}
