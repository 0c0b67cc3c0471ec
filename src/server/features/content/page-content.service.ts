import type { Config } from '#server/config/config.ts'
import type { PageServices } from '#server/pages/page-services.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { describedImages } from '#server/features/media/picture-descriptions.rules.ts'
import { withPresentPictures } from '#server/features/media/present-pictures.ts'
import type { ContentCache } from './content-cache.ts'
import { unlinkUnknown } from './markdown.ts'

/** What page loaders read, from memory. */
export function createPageServices(
  config: Config,
  cache: ContentCache,
  /** Whether an address of this site answers; links to others are shown as plain words. */
  isKnownPath: (path: string) => boolean,
  pictures: Pick<PicturesService, 'pictures'>,
): PageServices {
  const fresh = <T>(item: T) => withPresentPictures(pictures, item)

  function linked<T extends { html: string }>(item: T | undefined): T | null {
    return item ? { ...item, html: unlinkUnknown(item.html, isKnownPath) } : null
  }

  return {
    async frame() {
      const { settings, notice, committees } = cache.content()
      return {
        association: settings.association,
        notice,
        committeesTerm: committees?.term ?? null,
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
    events: async () =>
      fresh([...cache.content().events.values()].map((event) => without(event, ['html', 'startDate', 'endDate']))),
    event: async (id) => fresh(linked(cache.content().events.get(id))),
    news: async () => fresh([...cache.content().news.values()].map((item) => without(item, ['html']))),
    article: async (id) => fresh(linked(cache.content().news.get(id))),
    sponsors: async () => fresh(cache.content().sponsors),
    tiers: async () =>
      cache
        .content()
        .tiers.map(({ name, amountLabel, unitAmount, benefits }) => ({ name, amountLabel, unitAmount, benefits })),
    archive: async () => cache.content().archive,
    clinic: async () => cache.content().settings.clinic,
    async pictures(bucket, folder) {
      const { pictures: descriptions, people } = cache.content()
      return describedImages({ bucket, folder }, await pictures.pictures(bucket, folder), { descriptions, people })
    },
    forumTeam: async () => cache.content().forumTeam,
    async wordsPage(slug) {
      const page = cache.content().pages.get(slug)
      if (!page) return null
      return fresh({
        ...page,
        html: unlinkUnknown(page.html, isKnownPath),
        more: page.more.filter(({ path }) => isKnownPath(path)),
      })
    },
  }
}

/** Lists carry less than the page of each. */
function without<T extends object, K extends keyof T & string>(item: T, names: readonly K[]): Omit<T, K> {
  const kept = Object.entries(item).filter(([name]) => !(names as readonly string[]).includes(name))
  return Object.fromEntries(kept) as Omit<T, K>
}
