import { pageFacts } from '#web/app/page-facts.ts'

export interface SitePage {
  path: string
  /** For search engines; every other page is `noindex`. */
  indexed: boolean
  hasForm: boolean
}

const WITHOUT_FORM = new Set([
  '/',
  '/privacy-policy',
  '/terms-conditions',
  '/stripe/success',
  '/stripe/cancel',
  '/auth/account',
])

/** Every public page that exists, as the route table has them. */
export const sitePages: SitePage[] = pageFacts.map(({ path, indexed }) => ({
  path,
  indexed,
  hasForm: !WITHOUT_FORM.has(path),
}))

/** The same page in the state a link in a letter leads to. */
export const RESET_LINK = '/reset-password?token=an-invented-token&userId=an-invented-id'
