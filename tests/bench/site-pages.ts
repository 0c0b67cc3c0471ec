import { pageData } from '#web/app/page-data.ts'

export interface SitePage {
  path: string
  /** Indexed by search engines; every other page is `noindex`. */
  indexed: boolean
  hasForm: boolean
}

/** One page of each kind that content has a page for. */
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

/** Every public page of a site as it is installed, from the route table: pages that officers add, and the listing of members, come later. */
export const sitePages: SitePage[] = pageData
  .filter(({ path, isLive }) => path !== '/:address' && !isLive)
  .map(({ path, indexed }) => ({
    path: OF_A_KIND[path] ?? path,
    indexed,
    hasForm: WITH_FORM.has(path),
  }))

/** The same page in the state that a link in an email opens. */
export const RESET_LINK = '/reset-password?token=an-invented-token&userId=an-invented-id'
