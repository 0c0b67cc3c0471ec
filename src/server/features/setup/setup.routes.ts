import { beginSetup, enterSetup, readSetup } from '#contract/setup/first-steps.ts'
import {
  checkMailProvider,
  confirmSetupStep,
  getSiteSetup,
  openSite,
  saveBotCheckProvider,
  saveCardProvider,
  saveMailProvider,
  sendCardTest,
} from '#contract/setup/site-setup.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { FirstSteps } from './first-steps.service.ts'
import type { createProviders } from './providers.service.ts'
import type { SiteSetupService } from './site-setup.service.ts'

/** As long as a new site may take to set up; the set-up code can be replaced. */
const BROWSER_SECONDS = 7 * 86_400
/** Instead of a browser's secret: it looks at the closed site, and sets nothing up. */
const LOOKS_ONLY = 'look'

export function setupRoutes(
  server: Server,
  {
    firstSteps,
    siteSetup,
    providers,
  }: { firstSteps: FirstSteps; siteSetup: SiteSetupService; providers: ReturnType<typeof createProviders> },
): void {
  server.serve(enterSetup, async ({ body, setCookie }) => {
    setCookie('setup', await firstSteps.enter(body.code), BROWSER_SECONDS)
  })
  server.serve(readSetup, ({ readCookie }) => firstSteps.read(readCookie('setup')))
  server.serve(beginSetup, ({ body, readCookie, userAgent }) => firstSteps.begin(readCookie('setup'), body, userAgent))

  server.serve(getSiteSetup, async (call) => {
    const setup = await siteSetup.read(requireOfficer(call.officer))
    if (!setup.isOpen && call.readCookie('setup') === null) call.setCookie('setup', LOOKS_ONLY, BROWSER_SECONDS)
    return setup
  })
  server.serve(saveMailProvider, (call) => providers.saveMail(call.body, requireOfficer(call.officer)))
  server.serve(checkMailProvider, (call) => providers.checkMail(requireOfficer(call.officer)))
  server.serve(saveCardProvider, (call) => providers.saveCards(call.body, requireOfficer(call.officer)))
  server.serve(sendCardTest, () => providers.testCards())
  server.serve(saveBotCheckProvider, (call) => providers.saveBotCheck(call.body, requireOfficer(call.officer)))
  server.serve(confirmSetupStep, (call) => siteSetup.confirm(call.body, requireOfficer(call.officer)))
  server.serve(openSite, (call) => siteSetup.open(requireOfficer(call.officer)))
}
