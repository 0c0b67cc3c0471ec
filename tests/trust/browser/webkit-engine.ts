import { INTERACTIVE } from '#web/app/document/start-scripts.ts'
import { until } from '../load.ts'
import type { World } from '../site.ts'
import { WIDE } from './browsing.ts'
import { startPreloadingProxy, type PreloadingProxy } from './preloading-proxy.ts'
import { PATIENCE_MS, type Engine, type Role, type Tab } from './tab.ts'
import { WebKit, type WebKitElement } from './webkit.ts'

const REPORTS_ARRIVE_WITHIN_MS = 150

/** Debian's WebKitGTK, behind a proxy that does what its driver cannot; null if a package is not installed. */
export async function startWebKitEngine(world: World): Promise<Engine | null> {
  const webkit = await WebKit.start()
  if (!webkit) return null
  // It tells its version with a session only.
  await webkit.restart()
  const proxy = await startPreloadingProxy(world.siteUrl, INTERACTIVE)
  return {
    name: 'WebKitGTK',
    version: webkit.version,
    async open({ viewport = WIDE, timeZone = 'America/New_York', preload = '', answers = {} } = {}) {
      Object.assign(proxy, { preload, answers })
      const handle = await webkit.restart({ timeZone })
      await webkit.resize(viewport.width, viewport.height)
      return tabOf({ webkit, proxy, handle })
    },
    async close() {
      await webkit.stop()
      await proxy.close()
    },
  }
}

function tabOf({ webkit, proxy, handle }: { webkit: WebKit; proxy: PreloadingProxy; handle: string }): Tab {
  async function find(role: Role, name: RegExp): Promise<WebKitElement> {
    await webkit.enter(handle)
    // Running a script fails while one page replaces another.
    const element = await until(() => webkit.run(findVisible, role, name.source).catch(() => null), {
      withinMs: PATIENCE_MS,
    })
    if (!element) throw new Error(`No ${role} ${name} on ${await webkit.url()}`)
    return element
  }
  async function openPlain(address: string): Promise<void> {
    await webkit.enter(handle)
    const { pathname, search } = new URL(address, proxy.origin)
    await webkit.open(proxy.origin + pathname + search)
  }
  return {
    async open(address) {
      await openPlain(address)
      const alive = await until(() => webkit.run(() => window.siteAliveAt).catch(() => null), {
        withinMs: PATIENCE_MS,
      })
      if (!alive) throw new Error(`${address} does not become interactive`)
    },
    openPlain,
    press: async (role, name) => webkit.click(await find(role, name)),
    fill: async (label, text) => webkit.type(await find('field', label), text),
    see: async (role, name) => void (await find(role, name)),
    run: (work, ...words) => webkit.enter(handle).then(() => webkit.run(work, ...words)),
    async pathname() {
      await webkit.enter(handle)
      return new URL(await webkit.url()).pathname
    },
    async another(address) {
      const other = tabOf({ webkit, proxy, handle: await webkit.openWindow() })
      await other.open(address)
      return other
    },
    async takeTroubles() {
      await new Promise((arrived) => setTimeout(arrived, REPORTS_ARRIVE_WITHIN_MS))
      return proxy.troubles.splice(0)
    },
    // The next one that is opened closes it.
    leave: () => Promise.resolve(),
  }
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
