import type { Browser } from 'playwright-core'
import { INTERACTIVE } from '#web/app/document/start-scripts.ts'
import { until } from '../load.ts'
import type { World } from '../site.ts'
import { arrive, type Guest } from './browsing.ts'
import { startPreloadingProxy, type PreloadingProxy } from './preloading-proxy.ts'
import type { WebKit, WebKitElement } from './webkit.ts'

const PATIENCE_MS = 20_000
const REPORTS_ARRIVE_WITHIN_MS = 150

export type Role = 'button' | 'link' | 'heading' | 'field'
type Size = { width: number; height: number }

/** What a person does in one new browser, in any engine. Every step waits for its element. */
export interface Tab {
  /** Resolves when the page is interactive. */
  open(address: string): Promise<void>
  press(role: Role, name: RegExp): Promise<void>
  /** @param label of the field */
  fill(label: RegExp, text: string): Promise<void>
  /** Waits until it is visible. */
  see(role: Role, name: RegExp): Promise<void>
  /** Errors since the last call. */
  takeTroubles(): Promise<string[]>
  leave(): Promise<void>
}

/** A tab of Chromium or Firefox. */
export async function openTab(browser: Browser, world: World, viewport: Size): Promise<Tab> {
  const guest: Guest = await arrive(browser, world, { viewport })
  const { page } = guest
  const find = (role: Role, name: RegExp) =>
    (role === 'field' ? page.getByLabel(name) : page.getByRole(role, { name })).filter({ visible: true }).first()
  return {
    async open(address) {
      await page.goto(address)
      // A page may go on by itself soon, such as to the payment.
      await page.waitForFunction(() => window.siteAliveAt)
    },
    press: (role, name) => find(role, name).click(),
    // In Firefox `fill` sets the value by script, which React does not take for input.
    fill: (label, text) => find('field', label).pressSequentially(text),
    see: (role, name) => find(role, name).waitFor(),
    takeTroubles: () => Promise.resolve(guest.takeTroubles()),
    leave: () => guest.leave(),
  }
}

/** A tab of WebKit, the only one at a time. */
export async function openWebKitTab(webkit: WebKit, proxy: PreloadingProxy, { width, height }: Size): Promise<Tab> {
  await webkit.restart()
  await webkit.resize(width, height)
  async function find(role: Role, name: RegExp): Promise<WebKitElement> {
    // Running a script fails while one page replaces another.
    const element = await until(() => webkit.run(findVisible, role, name.source).catch(() => null), {
      withinMs: PATIENCE_MS,
    })
    if (!element) throw new Error(`No ${role} ${name} on ${await webkit.url()}`)
    return element
  }
  return {
    async open(address) {
      const { pathname, search } = new URL(address, proxy.origin)
      await webkit.open(proxy.origin + pathname + search)
      const alive = await until(() => webkit.run(() => window.siteAliveAt).catch(() => null), {
        withinMs: PATIENCE_MS,
      })
      if (!alive) throw new Error(`${address} does not become interactive`)
    },
    press: async (role, name) => webkit.click(await find(role, name)),
    fill: async (label, text) => webkit.type(await find('field', label), text),
    see: async (role, name) => void (await find(role, name)),
    async takeTroubles() {
      await new Promise((arrived) => setTimeout(arrived, REPORTS_ARRIVE_WITHIN_MS))
      return proxy.troubles.splice(0)
    },
    leave: () => Promise.resolve(),
  }
}

export function startProxyForWebKit(world: World): Promise<PreloadingProxy> {
  return startPreloadingProxy(world.siteUrl, INTERACTIVE)
}

/** Runs in the page. */
function findVisible(role: Role, source: string): WebKitElement | null {
  const selectors = {
    button: 'button, summary',
    link: 'a[href]',
    heading: 'h1, h2, h3',
    field: 'input, select, textarea',
  }
  const name = new RegExp(source)
  function wordsOf(element: HTMLElement): string {
    const copy = element.cloneNode(true) as HTMLElement
    for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
    return copy.textContent
  }
  const found = [...document.querySelectorAll<HTMLElement>(selectors[role])].find((element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return false
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [element]
    const words = element.getAttribute('aria-label') ?? labels.map(wordsOf).join(' ')
    return name.test(words.replace(/\s+/g, ' ').trim())
  })
  // The driver turns the element into a reference.
  return (found ?? null) as unknown as WebKitElement | null
}
