import type { Config } from '#server/config/config.ts'
import type { PageServices } from '#server/pages/page-services.ts'
import type { ContentCache } from './content-cache.ts'
import { unlinkUnknown } from './markdown.ts'

/** What page loaders read, from memory. */
export function createPageServices(
  config: Config,
  cache: ContentCache,
  /** Whether an address of this site answers; links to others are shown as plain words. */
  isKnownPath: (path: string) => boolean,
): PageServices {
  return {
    async frame() {
      const { settings, notice } = cache.content()
      return {
        association: settings.association,
        notice,
        today: cache.today(),
        siteUrl: config.siteUrl,
        mapEmbedUrl: config.mapEmbedUrl,
        recaptchaSiteKey: config.recaptcha.siteKey,
        recaptchaScriptUrl: config.recaptcha.scriptUrl,
        stripePublishableKey: config.stripe.publishableKey,
      }
    },
    figures: async () => cache.content().figures,
    levels: async () => cache.content().levels,
    leaderBody: async (key) => cache.content().bodies.get(key) ?? null,
    committees: async () => cache.content().committees,
    pastPresidents: async () => cache.content().pastPresidents,
    faq: async () =>
      cache.content().faq.map(({ question, answer }) => ({ question, answer: unlinkUnknown(answer, isKnownPath) })),
    async wordsPage(slug) {
      const page = cache.content().pages.get(slug)
      if (!page) return null
      return {
        ...page,
        html: unlinkUnknown(page.html, isKnownPath),
        more: page.more.filter(({ path }) => isKnownPath(path)),
      }
    },
  }
}
