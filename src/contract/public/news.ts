/** The categories of news, in the order of their chips. */
export const NEWS_CATEGORIES = ['news', 'announcement', 'member-news'] as const

export type NewsCategory = (typeof NEWS_CATEGORIES)[number]

/** What a single item is called by. */
export const CATEGORY_LABELS: Record<NewsCategory, string> = {
  news: 'General News',
  announcement: 'Announcement',
  'member-news': 'Member News',
}

/** An item as lists show it. */
export interface NewsItem {
  /** Also its address, `/news/{id}`. */
  id: string
  title: string
  /** `YYYY-MM-DD`. */
  date: string
  excerpt: string
  category: NewsCategory
  author: string
  /** A name under `/art/`, or a path beginning with a slash. */
  imageKey: string
}

export interface NewsArticle extends NewsItem {
  /** Sanitised HTML of its content. */
  html: string
}
