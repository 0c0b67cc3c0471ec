import { pageFacts } from '#web/app/page-facts.ts'

export interface SitePage {
  path: string
  /** For search engines; every other page is `noindex`. */
  indexed: boolean
  hasForm: boolean
}

const WITH_FORM = new Set(['/become-a-member', '/auth/login', '/email-verification', '/reset-password'])

/** Every public page that exists, as the route table has them. */
export const sitePages: SitePage[] = pageFacts.map(({ path, indexed }) => ({
  path,
  indexed,
  hasForm: WITH_FORM.has(path),
}))

/** The same page in the state a link in a letter leads to. */
export const RESET_LINK = '/reset-password?token=an-invented-token&userId=an-invented-id'
