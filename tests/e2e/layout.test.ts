import { describe, expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { pageData } from '#web/app/page-data.ts'
import { test } from './steps/journey.ts'
import { seeHeading } from './steps/expectations.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
const LAPTOP = { viewport: { width: 1440, height: 900 } }

const TABLET = { viewport: { width: 768, height: 1024 } }

/** Every public page that a visitor can open by its address. */
const PUBLIC_PATHS = [
  ...pageData
    .map(({ path }) => path)
    .filter((path) => !/^\/(?::address|find-a-member|console|auth\/(?!login))/.test(path)),
  '/news?category=member-news',
  '/no-such-page',
].map((path) =>
  path.replace('/events/:id', '/events/gala-under-the-oaks').replace('/news/:id', '/news/gala-tables-open'),
)

/** Lower than a card: chips, labels and figures. */
const LEAST_CARD_PX = 72

/** The grids whose last row has a single card that does not fill it, below rows of several cards of one width. */
function findOrphans(page: Page): Promise<string[]> {
  return page.evaluate((leastHeight) => {
    // Also what is not shown at first, such as past events.
    for (const panel of document.querySelectorAll<HTMLElement>('[role="tabpanel"]')) panel.hidden = false
    const grids = [...document.querySelectorAll('#main *')].filter((one) =>
      ['grid', 'flex'].includes(getComputedStyle(one).display),
    )
    return grids.flatMap((grid) => {
      const boxes = [...grid.children]
        .map((child) => child.getBoundingClientRect())
        .filter(({ width, height }) => width > 1 && height >= leastHeight)
      const rows = [...Map.groupBy(boxes, ({ top }) => Math.round(top / 8)).values()]
      const widths = rows[0]?.map(({ width }) => width) ?? []
      const [last, ...others] = rows.at(-1) ?? []
      const areCards = widths.length > 1 && Math.max(...widths) < 1.3 * Math.min(...widths)
      const isAlone = rows.length > 1 && last !== undefined && others.length === 0
      return areCards && isAlone && last.width < 0.75 * grid.clientWidth ? [grid.className] : []
    })
  }, LEAST_CARD_PX)
}

const colorOf = (element: Locator, property: string) =>
  element.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property)

describe.concurrent('what only a browser shows', () => {
  test('the hero leaves room for the figures, with its controls on the row of the button', async ({ arrive }) => {
    const page = await arrive(LAPTOP)
    await page.goto('/')
    const hero = page.getByRole('region', { name: 'Events' })
    expect(await hero.getByRole('button', { name: /^Slide \d of / }).count()).toBeLessThanOrEqual(4)
    const figures = await page.getByRole('region', { name: 'The association in figures' }).boundingBox()
    expect(figures?.y).toBeLessThan(830)
    const button = await hero
      .getByRole('link', { name: /^(RSVP Now|Learn More)/ })
      .first()
      .boundingBox()
    const next = await hero.getByRole('button', { name: 'Next slide' }).boundingBox()
    expect(Math.abs((button?.y ?? 0) - (next?.y ?? 999))).toBeLessThan(12)
  })

  test('an arrow stays visible while the pointer is on it', async ({ arrive }) => {
    const page = await arrive(LAPTOP)
    await page.goto('/')
    const gallery = page.getByRole('region', { name: 'The association in action' })
    const next = gallery.getByRole('button', { name: 'Next slide' })
    await next.hover()
    expect(await colorOf(next.locator('svg'), 'stroke')).not.toBe(await colorOf(next, 'background-color'))
    expect(await colorOf(next.locator('svg'), 'stroke')).toBe('rgb(15, 65, 71)')
  })

  test('sponsors stand on tiles that differ from the page, four to a row', async ({ arrive }) => {
    const page = await arrive(LAPTOP)
    await page.goto('/')
    const tiles = page.locator('.sponsor-wall > li')
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Our sponsors' }) })
    expect(await colorOf(tiles.first(), 'background-color')).not.toBe(await colorOf(section, 'background-color'))
    const tops = await tiles.evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().top))
    expect(tops.filter((top) => top === tops[0])).toHaveLength(4)
  })

  test('no illustration stands on cloth, where its cloth parts would vanish', async ({ arrive }) => {
    const page = await arrive(LAPTOP)
    for (const path of ['/about', '/clinic', '/auth/login', '/newsletter/success']) {
      await page.goto(path)
      const grounds = await page
        .locator('.spot, .aims > li')
        .evaluateAll((spots) => spots.map((spot) => getComputedStyle(spot).backgroundColor))
      expect(grounds.length, path).toBeGreaterThan(0)
      for (const ground of grounds) expect(['rgb(251, 243, 227)', 'rgba(0, 0, 0, 0)'], path).not.toContain(ground)
    }
  })

  test('on a phone the menu spans the screen and scrolls within it', async ({ arrive }) => {
    const page = await arrive(PHONE)
    await page.goto('/faqs')
    await page.getByRole('button', { name: 'Open menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Main, small screens' })
    const box = await menu.boundingBox()
    expect([box?.x, box?.width]).toEqual([0, 360])
    expect((box?.y ?? 0) + (box?.height ?? 999)).toBeLessThanOrEqual(740)
    await menu.getByRole('link', { name: 'Contact Us' }).scrollIntoViewIfNeeded()
    expect(await menu.getByRole('link', { name: 'Contact Us' }).isVisible()).toBe(true)
  })

  test.for([360, 768])('at %d px no quick action’s text runs into its picture', async (width, { arrive }) => {
    const page = await arrive({ viewport: { width, height: 740 } })
    await page.goto('/')
    const actions = page.locator('.quick-action')
    for (const action of await actions.all()) {
      const text = await action.locator('p').evaluate((paragraph) => {
        const range = document.createRange()
        range.selectNodeContents(paragraph)
        return [...range.getClientRects()].map(({ right, bottom }) => ({ right, bottom }))
      })
      const picture = await action.locator('img').boundingBox()
      // The drawings leave the upper third of their box empty.
      const top = (picture?.y ?? 0) + (picture?.height ?? 0) / 3
      const meets = text.filter(({ right, bottom }) => right > (picture?.x ?? 0) + 24 && bottom > top)
      expect(meets, await action.innerText()).toEqual([])
    }
  })

  test('the picture of a card becomes the picture of its article', async ({ arrive }) => {
    const page = await arrive(LAPTOP)
    await page.goto('/news')
    await page.evaluate(() => {
      const start = document.startViewTransition.bind(document)
      document.startViewTransition = (update) => {
        const transition = start(update)
        void transition.ready.then(() => {
          document.documentElement.dataset['moved'] = document
            .getAnimations()
            .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.pseudoElement : ''))
            .join(' ')
        })
        return transition
      }
    })
    await page.getByRole('link', { name: 'The gala list is open, and the oaks are ready' }).click()
    await seeHeading(page, 'The gala list is open, and the oaks are ready')
    await page.waitForFunction(() => document.documentElement.dataset['moved']?.includes('group(head-picture)'))
  })

  test('the emergency number does not push its line down', async ({ arrive }) => {
    const page = await arrive(LAPTOP)
    await page.goto('/contact')
    await seeHeading(page, 'Contact Us')
    const lines = await page.getByRole('link', { name: '911' }).evaluate((link) => {
      const range = document.createRange()
      range.selectNodeContents(link.parentElement as HTMLElement)
      const tops = [...range.getClientRects()].filter(({ height }) => height < 30).map(({ top }) => Math.round(top))
      return [...new Set(tops)].sort((one, other) => one - other)
    })
    const gaps = lines.slice(1).map((top, at) => top - (lines[at] ?? 0))
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1)
  })

  test('the question on the plans page leaves the levels for one kind of visitor', async ({ arrive }) => {
    const page = await arrive(LAPTOP)
    await page.goto('/become-a-member')
    const shown = () => page.getByRole('button', { name: /^Select / }).allInnerTexts()
    expect((await shown()).length).toBeGreaterThan(3)
    await page.getByLabel('I am in training').check()
    expect(await shown()).toEqual(['Select Resident Fellow', 'Select Medical Student'])
    await page.getByLabel('I share your aims').check()
    expect(await shown()).toEqual(['Select Associate Member'])
  })

  test('on a tablet no card is alone in the last row of its cards', async ({ arrive }) => {
    const page = await arrive({ ...TABLET, expects: [/404/] })
    for (const path of PUBLIC_PATHS) {
      await page.goto(path)
      expect(await findOrphans(page), path).toEqual([])
    }
  })

  test('nothing scrolls sideways on a phone', async ({ arrive }) => {
    const page = await arrive(PHONE)
    const paths = [
      '/',
      '/faqs',
      '/contact',
      '/become-a-member',
      '/executive-committee',
      '/committees',
      '/events',
      '/about',
    ]
    for (const path of paths) {
      await page.goto(path)
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        return { scrollWidth, clientWidth }
      })
      expect(scrollWidth, path).toBe(clientWidth)
    }
  })
})
