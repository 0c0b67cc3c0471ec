import { listSponsors, sponsorFormToken, startSponsorship, type Sponsor } from '#contract/public/sponsors.ts'
import type { Server } from '#server/http/serve.ts'
import type { SponsorshipService } from './sponsorship.service.ts'

export function sponsorsRoutes(
  server: Server,
  {
    sponsors,
    sponsorships,
    contentVersion,
  }: { sponsors: () => Promise<Sponsor[]>; sponsorships: SponsorshipService; contentVersion: () => string },
): void {
  server.serveContent(listSponsors, contentVersion, async () => sponsors())

  server.serve(sponsorFormToken, async () => ({ formToken: sponsorships.formToken() }))

  server.serve(startSponsorship, async ({ body, address }) => ({
    sessionUrl: await sponsorships.start(body, address),
  }))
}
