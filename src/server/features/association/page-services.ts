import type { Config } from '#server/config/config.ts'
import type { PageServices } from '#server/pages/page-services.ts'
import type { ContentCache } from './content-cache.ts'

/** What page loaders read, from memory. */
export function createPageServices(config: Config, cache: ContentCache): PageServices {
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
    wordsPage: async (slug) => cache.content().pages.get(slug) ?? null,
  }
}
