import { pageFacts } from '#web/app/page-facts.ts'

export interface SitePage {
  path: string
  /** For search engines; every other page is `noindex`. */
  indexed: boolean
  hasForm: boolean
}

/** One of each kind that content gives an address of its own. */
const OF_A_KIND: Record<string, string> = {
  '/events/:id': '/events/gala-under-the-oaks',
  '/news/:id': '/news/gala-tables-open',
}
const WITH_FORM = new Set([
  '/contact',
  '/newsletter/subscribe',
  '/newsletter/unsubscribe',
  '/sponsor-us',
  '/become-a-member',
  '/auth/login',
  '/email-verification',
  '/reset-password',
])

/** Every public page that exists, as the route table has them. */
export const sitePages: SitePage[] = pageFacts.map(({ path, indexed }) => ({
  path: OF_A_KIND[path] ?? path,
  indexed,
  hasForm: WITH_FORM.has(path),
}))

/** The same page in the state a link in a letter leads to. */
export const RESET_LINK = '/reset-password?token=an-invented-token&userId=an-invented-id'
