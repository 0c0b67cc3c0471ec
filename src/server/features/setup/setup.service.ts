import type { AppContext } from '#server/app-context.ts'
import type { SessionService } from '#server/features/auth/sessions/session.service.ts'
import { createFirstSteps } from './first-steps.service.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import type { Opening } from './opening.service.ts'
import { createProviders } from './providers.service.ts'
import { createSiteSetup } from './site-setup.service.ts'

export interface SetupTools {
  opening: Opening
  /** Stops this process once the current responses are sent; what supervises it starts it again. */
  restart(): void
  /** Epoch milliseconds. */
  startedAt: number
}

/** The services of a new site's first run. */
export function createSetupServices(
  ctx: AppContext,
  sessions: SessionService,
  site: SetupTools & { pictures: Pick<PicturesService, 'pictures'> },
) {
  return {
    firstSteps: createFirstSteps(ctx, { ...site, sessions }),
    siteSetup: createSiteSetup(ctx, site),
    providers: createProviders(ctx, site),
  }
}
