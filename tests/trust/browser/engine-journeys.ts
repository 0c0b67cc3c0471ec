import { newPerson, SAMPLE_PASSWORD } from '#tests/e2e/steps/people.ts'
import { unexpected } from '#tests/e2e/steps/browser-errors.ts'
import type { Faults } from '../row.ts'
import type { World } from '../site.ts'
import { PHONE, WIDE } from './browsing.ts'
import type { Engine, Tab } from './tab.ts'

type Journey = (tab: Tab, world: World) => Promise<void>

/** Firefox and WebKit stop what is under way when a page is left, and the site reports that, the router in Firefox as a bare “Error”. */
export const STOPPED_BY_LEAVING = [
  /Failed to load reCAPTCHA script/,
  /Error loading route module|Importing a module script failed|error loading dynamically imported|Load failed/,
  /^console error: Error \(/,
]

const JOURNEYS: [name: string, viewport: typeof WIDE, journey: Journey, expected?: RegExp[]][] = [
  [
    'the menu of a phone',
    PHONE,
    async (tab) => {
      await tab.open('/')
      await tab.press('button', /^Open menu$/)
      await tab.press('link', /^Memberships$/)
      await tab.see('heading', /^Become a member$/)
      await tab.see('button', /^Open menu$/)
    },
  ],
  [
    'logging in and going on at once',
    WIDE,
    async (tab) => {
      await tab.open('/auth/login')
      await tab.fill(/^Email or username/, 'annual@example.org')
      await tab.fill(/^Password/, SAMPLE_PASSWORD)
      await tab.press('button', /^Log in$/)
      await tab.see('button', /^Account menu for /)
      // While the page after the log-in is still being loaded: it must not come in the way.
      await tab.open('/auth/account/membership')
      await tab.see('heading', /^Membership$/)
    },
    STOPPED_BY_LEAVING,
  ],
  [
    'joining up to the payment',
    WIDE,
    async (tab, world) => {
      const person = newPerson()
      await tab.open('/become-a-member')
      await tab.press('button', /^Select annual member/i)
      await tab.see('heading', /^Your details$/)
      await tab.fill(/^Email/, person.email)
      await tab.fill(/^Username/, person.username)
      await tab.fill(/^First name/, person.firstName)
      await tab.fill(/^Last name/, person.lastName)
      await tab.fill(/^Password/, person.password)
      await tab.fill(/^Confirm password/, person.password)
      await tab.press('field', /^I agree/)
      await tab.press('button', /^Create account$/)
      await tab.see('heading', /^Check your email$/)
      const { pathname, search } = await world.mailbox.link(person.email, '/email-verification')
      await tab.open(pathname + search)
      await tab.see('field', /^Card number/)
    },
  ],
]

/** What a person does first, in one engine. Resolves with the number of journeys that came to their end. */
export async function makeJourneys(engine: Engine, world: World, faults: Faults): Promise<string> {
  let ended = 0
  for (const [name, viewport, journey, expected = []] of JOURNEYS) {
    const tab = await engine.open({ viewport })
    try {
      await journey(tab, world)
      ended++
    } catch (error) {
      faults.add(`not right in ${engine.name}`, `${name}: ${(error as Error).message}`)
    }
    for (const trouble of unexpected(await tab.takeTroubles(), expected))
      faults.add(`trouble in ${engine.name}`, `${name}: ${trouble}`)
    await tab.leave()
  }
  return `${ended} of ${JOURNEYS.length} journeys (${JOURNEYS.map(([name]) => name).join(', ')})`
}
