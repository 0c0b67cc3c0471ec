import type { Server } from '#server/http/serve.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { withCurrentPictureUrls } from '#server/features/media/present-pictures.service.ts'
import { createSponsorCheckoutService } from '#server/features/sponsors/orders/sponsor-checkout.service.ts'
import { sponsorsRoutes } from '#server/features/sponsors/sponsors.routes.ts'
import { createSponsorshipService } from '#server/features/sponsors/sponsorship.service.ts'

type Needed = Parameters<typeof createSponsorshipService>[0] & Parameters<typeof createSponsorCheckoutService>[0]
type FromContent = 'limits' | 'tiers' | 'logoMonths' | 'sponsorCheckouts'

/** Wires up the sponsor wall and sponsor checkout. */
export function createSponsorFeatures(
  shared: Omit<Needed, FromContent> & { cache: ContentCache; pictures: PicturesService },
): {
  routes(server: Server): void
} {
  const { cache, pictures } = shared
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
        sponsors: () => withCurrentPictureUrls(pictures, cache.content().sponsors),
        sponsorships,
        contentVersion: () => `${cache.version()} ${pictures.version()}`,
      }),
  }
}
