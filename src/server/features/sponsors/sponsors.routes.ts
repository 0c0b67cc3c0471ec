import type { AppContext } from '#server/app-context.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { withCurrentPictureUrls } from '#server/features/media/present-pictures.service.ts'
import { listSponsors, sponsorFormToken, startSponsorship } from '#contract/public/sponsors.ts'
import type { Server } from '#server/http/serve.ts'
import type { SponsorshipService } from './sponsorship.service.ts'

export function sponsorsRoutes(
  server: Server,
  { cache }: Pick<AppContext, 'cache'>,
  { pictures, sponsorships }: { pictures: PicturesService; sponsorships: SponsorshipService },
): void {
  server.serveContent(
    listSponsors,
    () => `${cache.version()} ${pictures.version()}`,
    () => withCurrentPictureUrls(pictures, cache.content().sponsors),
  )

  server.serve(sponsorFormToken, async () => ({ formToken: sponsorships.formToken() }))

  server.serve(startSponsorship, async ({ body, address }) => ({
    sessionUrl: await sponsorships.start(body, address),
  }))
}
