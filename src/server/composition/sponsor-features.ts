import type { Config } from '#server/config/config.ts'
import type { Server } from '#server/http/serve.ts'
import type { ContentCache } from '../association/content-cache.ts'
import type { PicturesService } from '../media/pictures.service.ts'
import { withPresentPictures } from '../media/present-pictures.ts'
import { createSponsorCheckoutService } from './sponsor-checkout.service.ts'
import { createSponsorLetters } from './sponsors.letters.ts'
import { sponsorsRoutes } from './sponsors.routes.ts'
import { createSponsorshipService } from './sponsorship.service.ts'

type Needed = Parameters<typeof createSponsorshipService>[0] &
  Parameters<typeof createSponsorCheckoutService>[0] &
  Parameters<typeof createSponsorLetters>[0]
type FromContent = 'limits' | 'tiers' | 'logoMonths' | 'sponsorCheckouts' | 'officersEmail' | 'taxWording'

/** The wall of sponsors and how one becomes one, put together. */
export function createSponsorFeatures(
  shared: Omit<Needed, FromContent> & { cache: ContentCache; config: Config; pictures: PicturesService },
): {
  routes(server: Server): void
  letters: ReturnType<typeof createSponsorLetters>
} {
  const { cache, config, pictures } = shared
  const settings = () => cache.content().settings
  const sponsorships = createSponsorshipService({
    ...shared,
    limits: () => settings().rateLimits,
    tiers: () => cache.content().tiers,
    logoMonths: () => settings().sponsorship.logoMonths,
    sponsorCheckouts: createSponsorCheckoutService(shared),
  })
  return {
    routes: (server) =>
      sponsorsRoutes(server, {
        sponsors: () => withPresentPictures(pictures, cache.content().sponsors),
        sponsorships,
        contentVersion: () => `${cache.version()} ${pictures.version()}`,
      }),
    letters: createSponsorLetters({
      ...shared,
      officersEmail: config.officersEmail,
      taxWording: () => settings().sponsorship.taxWording,
    }),
  }
}
