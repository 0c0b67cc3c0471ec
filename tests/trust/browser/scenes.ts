import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { arrive, memberState, PHONE, waitUntilIdle, visit, WIDE, type Guest } from './browsing.ts'
import { inParallel } from '../load.ts'
import { ACCOUNT_PAGES, UNKNOWN_PAGE, type PublicPage } from './public-pages.ts'
import type { World } from '../site.ts'

const AT_ONCE = 2
const LEAVES_WITHIN_MS = 5_000
/** Controls that open, expand or switch something. */
const CONTROLS = 'summary, [role=tab], button'
/** Invalid in every field. */
const WRONG = '@'

export interface Scene {
  /** Such as `/become-a-member, "Select annual member"`. */
  name: string
  address: string
  page: Page
  guest: Guest
}

/** A visitor and their path. */
interface Walk {
  address: string
  who: string
  options: BrowserContextOptions
  /** Also uses the controls in header and footer, which are the same on every page. */
  frame: boolean
}

type StorageState = NonNullable<BrowserContextOptions['storageState']>

interface Control {
  at: number
  name: string
}

/**
 * Calls `judge` for every page and every state of it that can be reached by using one control of each kind and by submitting each form with invalid
 * input: as a visitor, on a phone where the frame differs, and as a member. Controls are found by role, so new pages are covered automatically. Motion
 * is reduced. Resolves with the number of scenes.
 */
export async function walkScenes(
  { browser, world, pages }: { browser: Browser; world: World; pages: readonly PublicPage[] },
  judge: (scene: Scene) => Promise<void>,
): Promise<number> {
  const asMember = { storageState: await memberState(world) }
  const walks: Walk[] = [
    ...pages.map(({ address }) => ({ address, who: '', options: {}, frame: address === '/' })),
    { address: UNKNOWN_PAGE, who: '', options: {}, frame: false },
    { address: '/', who: ' on a phone', options: { viewport: PHONE }, frame: true },
    ...ACCOUNT_PAGES.map((address) => ({ address, who: ' of a member', options: asMember, frame: true })),
    { address: '/become-a-member', who: ' of a member', options: asMember, frame: false },
  ]
  return walkAll({ browser, world, walks }, judge)
}

/** As `walkScenes`, for the pages of the console, each as the officer whose browser storage it is. */
export async function walkConsole(
  {
    browser,
    world,
    addresses,
    storageState,
  }: { browser: Browser; world: World; addresses: readonly string[]; storageState: StorageState },
  judge: (scene: Scene) => Promise<void>,
): Promise<number> {
  const walks = addresses.map((address) => ({
    address,
    who: '',
    options: { storageState },
    frame: address === '/console',
  }))
  return walkAll({ browser, world, walks }, judge)
}

async function walkAll(
  { browser, world, walks }: { browser: Browser; world: World; walks: readonly Walk[] },
  judge: (scene: Scene) => Promise<void>,
): Promise<number> {
  const counts = await inParallel(walks, AT_ONCE, async (walk) => {
    try {
      return await walkPage(browser, world, walk, judge)
    } catch (error) {
      throw new Error(`${walk.address}${walk.who}: ${(error as Error).message}`, { cause: error })
    }
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

async function walkPage(
  browser: Browser,
  world: World,
  { address, who, options, frame }: Walk,
  judge: (scene: Scene) => Promise<void>,
): Promise<number> {
  const guest = await arrive(browser, world, { reducedMotion: 'reduce', ...options })
  const { page } = guest
  let count = 0

  /** Sets up a scene and shows it, unless it navigates: some controls do, after a moment. */
  async function show(state: string, set: () => Promise<void> = async () => {}): Promise<void> {
    try {
      await set()
      if (hasLeft(page, world, address)) return
      await judge({ name: `${address}${who}${state}`, address, page, guest })
      count++
    } catch (error) {
      const left = page.waitForURL(() => hasLeft(page, world, address), { timeout: LEAVES_WITHIN_MS })
      const isGone = await left.then(
        () => true,
        () => false,
      )
      if (!isGone) throw error
    }
  }

  async function press({ name }: Control): Promise<void> {
    await begin()
    const again = (await listControls(page, frame)).find((one) => one.name === name)
    if (!again) {
      // What a member presses may be stored, such as an answer to an event.
      if (options.storageState) return
      throw new Error(`${address}${who}: "${name}" is gone after another control was used`)
    }
    await page.locator(CONTROLS).nth(again.at).click()
    await waitUntilIdle(page)
  }

  async function reset(): Promise<void> {
    await page.setViewportSize(options.viewport ?? WIDE)
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' })
  }

  async function begin(): Promise<void> {
    await reset()
    await visit(page, address)
  }

  try {
    await begin()
    await show('')
    await reset()
    const controls = await listControls(page, frame)
    const forms = await countForms(page)
    for (const control of controls) {
      let formsNow = 0
      await show(`, "${control.name}"`, async () => {
        await press(control)
        formsNow = await countForms(page)
      })
      if (formsNow <= forms) continue
      await show(`, "${control.name}", sent wrong`, async () => {
        await press(control)
        await sendWrong(page, formsNow - 1)
      })
    }
    for (let form = 0; form < forms; form++) {
      await show(`, form ${form + 1} sent wrong`, async () => {
        await begin()
        await sendWrong(page, form)
      })
    }
    return count
  } finally {
    await guest.leave()
  }
}

function hasLeft(page: Page, world: World, address: string): boolean {
  const now = new URL(page.url())
  return now.origin !== world.siteUrl || now.pathname !== new URL(address, world.siteUrl).pathname
}

/** One control of each kind: two buttons are alike when they look the same and their names start with the same word. */
async function listControls(page: Page, frame: boolean): Promise<Control[]> {
  return page.evaluate(
    ([selector, withFrame]) => {
      const kinds = new Set<string>()
      return [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element, at) => {
        const name = (element.getAttribute('aria-label') ?? element.textContent).replace(/\s+/g, ' ').trim()
        const word = element.localName === 'button' ? name.split(' ')[0] : ''
        const kind = [element.localName, element.className, element.role, word].join()
        const isOff = element.matches(':disabled, [aria-disabled=true], [type=submit], [aria-selected=true]')
        const isChosen = withFrame || element.closest('main') !== null
        if (isOff || !isChosen || kinds.has(kind) || !element.checkVisibility({ visibilityProperty: true })) return []
        kinds.add(kind)
        return [{ at, name }]
      })
    },
    [CONTROLS, frame] as const,
  )
}

function countForms(page: Page): Promise<number> {
  return page.locator('form:visible').count()
}

/** Types invalid input into every field of a form and submits it, where allowed. */
async function sendWrong(page: Page, at: number): Promise<void> {
  const form = page.locator('form:visible').nth(at)
  const fields = form.locator(
    'input:visible:not([type=checkbox], [type=radio], [type=hidden], [type=file]), textarea:visible',
  )
  for (const field of await fields.all()) {
    if (!(await field.isEditable())) continue
    // Number fields accept only digits and signs.
    await field.fill((await field.getAttribute('type')) === 'number' ? '-1' : WRONG)
    await field.blur()
  }
  const submit = form.locator('[type=submit]:visible')
  if ((await submit.count()) > 0 && (await submit.first().isEnabled())) await submit.first().click()
  await waitUntilIdle(page)
}
