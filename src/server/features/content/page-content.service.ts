import { WITHOUT_BOT_CHECK } from '#contract/limits.ts'
import { isOff, type Part } from '#contract/parts.ts'
import { region } from '#contract/region.ts'
import { fieldsInUse } from '#contract/member-record/record-fields.ts'
import { labelWithTerm } from '#contract/menu.ts'
import type { Config } from '#server/config/config.ts'
import type { PageServices } from '#server/pages/page-services.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { withDescriptions } from '#server/features/media/picture-descriptions.rules.ts'
import { withCurrentPictureUrls } from '#server/features/media/present-pictures.service.ts'
import type { ContentCache } from './content-cache.service.ts'
import { PUBLIC_DIRECTORY } from './public-directory-paths.rules.ts'
import { unlinkUnknownPaths } from '#server/features/content-store/markdown.rules.ts'

/** The data for page loaders, read from memory. */
const COMMITTEES = '/committees'

export function createPageServices(
  config: Config,
  cache: ContentCache,
  /** Whether the site has a page at a path; links to other paths are replaced by their text. */
  isKnownPath: (path: string) => boolean,
  pictures: Pick<PicturesService, 'pictures'>,
  publicDirectory: PageServices['publicDirectory'] = async () => null,
): PageServices {
  const withPictures = <T>(item: T) => withCurrentPictureUrls(pictures, item)

  function withKnownLinks<T extends { html: string }>(item: T | undefined): T | null {
    return item ? { ...item, html: unlinkUnknownPaths(item.html, isKnownPath) } : null
  }

  function withKnownAnswer<T extends { answer: string }>(entry: T): T {
    return { ...entry, answer: unlinkUnknownPaths(entry.answer, isKnownPath) }
  }

  return {
    async rootData() {
      const { settings, announcement, committees, menu, footer, partsOff, unfinished } = cache.content()
      const { isOn, title: label } = settings.publicDirectory
      const directory = { path: PUBLIC_DIRECTORY, label, nav: 'About' as const }
      return {
        association: settings.association,
        announcement,
        menu: withoutOff(isOn ? [...menu, directory] : menu, partsOff).map((entry) =>
          entry.path === COMMITTEES ? { ...entry, label: labelWithTerm(entry.label, committees?.term ?? null) } : entry,
        ),
        footer: withoutOff(footer, partsOff),
        ...(partsOff.length > 0 && { partsOff }),
        ...(unfinished.length > 0 && { isUnfinished: true }),
        ...(config.demo && { isDemo: true }),
        today: cache.today(),
        siteUrl: config.siteUrl,
        mapEmbedUrl: config.mapEmbedUrl || settings.association.mapEmbed,
        region: region(),
        recaptchaSiteKey: config.recaptcha.siteKey || WITHOUT_BOT_CHECK,
        recaptchaScriptUrl: config.recaptcha.secretKey === '' ? '' : config.recaptcha.scriptUrl,
        stripePublishableKey: config.stripe.publishableKey,
      }
    },
    partsOff: async () => cache.content().partsOff,
    pageHead: async (page) => cache.content().settings.pageHeads[page],
    home: async () => withPictures(cache.content().home),
    figures: async () => cache.content().figures,
    levels: async () => cache.content().levels,
    async joinPage() {
      const { questions, ...page } = cache.content().joinPage
      return withPictures({ ...page, questions: questions.map(withKnownAnswer) })
    },
    fieldsAtJoining: async () => fieldsInUse(cache.content().recordFields).filter(({ asked }) => asked === 'joining'),
    leaderBody: async (key) => withPictures(cache.content().bodies.get(key) ?? null),
    committees: async () => withPictures(cache.content().committees),
    pastPresidents: async () => cache.content().pastPresidents,
    faq: async () => cache.content().faq.map(withKnownAnswer),
    events: async () =>
      withPictures(
        (cache.content().partsOff.includes('events') ? [] : [...cache.content().events.values()]).map((event) =>
          without(event, ['html', 'startDate', 'endDate', 'goodToKnow', 'contact', 'quote']),
        ),
      ),
    event: async (id) =>
      isOff(`/events/${id}`, cache.content().partsOff)
        ? null
        : withPictures(withKnownLinks(cache.content().events.get(id))),
    news: async () => withPictures([...cache.content().news.values()].map((item) => without(item, ['html', 'about']))),
    async article(id) {
      const article = withKnownLinks(cache.content().news.get(id))
      if (!article?.about || isKnownPath(article.about.path)) return withPictures(article)
      return withPictures({ ...article, about: undefined })
    },
    sponsors: async () => withPictures(cache.content().sponsors),
    tiers: async () =>
      cache
        .content()
        .tiers.map(({ name, amountLabel, unitAmount, benefits }) => ({ name, amountLabel, unitAmount, benefits })),
    sponsorPage: async () => cache.content().sponsorPage,
    publicDirectory,
    archive: async () => cache.content().archive,
    clinic: async () => cache.content().settings.clinic,
    clinicTranslations: async () => cache.content().clinicTranslations,
    async pictures(bucket, folder) {
      const { pictures: descriptions, people } = cache.content()
      return withDescriptions({ bucket, folder }, await pictures.pictures(bucket, folder), { descriptions, people })
    },
    forumTeam: async () => cache.content().forumTeam,
    async addedPage(address) {
      const page = withKnownLinks(cache.content().addedPages.get(address))
      return withPictures(page && { ...page, more: page.more.filter(({ path }) => isKnownPath(path)) })
    },
    async textPage(slug) {
      const page = cache.content().pages.get(slug)
      if (!page || isOff(`/${slug}`, cache.content().partsOff)) return null
      return withPictures({
        ...page,
        html: unlinkUnknownPaths(page.html, isKnownPath),
        more: page.more.filter(({ path }) => isKnownPath(path)),
        cards: page.cards.map((card) => ({
          ...card,
          link: card.link && isKnownPath(card.link.path) ? card.link : null,
        })),
        action: page.action?.path && !isKnownPath(page.action.path) ? null : page.action,
      })
    },
  }
}

/** Omits fields that lists do not need. */
function without<T extends object, K extends keyof T & string>(item: T, names: readonly K[]): Omit<T, K> {
  const kept = Object.entries(item).filter(([name]) => !(names as readonly string[]).includes(name))
  return Object.fromEntries(kept) as Omit<T, K>
}

/** Entries that lead to parts of the site that are on. */
function withoutOff<Entry extends { path: string }>(entries: readonly Entry[], partsOff: readonly Part[]): Entry[] {
  return entries.filter(({ path }) => !isOff(path, partsOff))
}
