import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Daemon, isInstalled, type Counterpart } from '../faults/counterparts.ts'
import { freePort } from '../faults/processes.ts'
import { until } from '../load.ts'

/** WebKitGTK needs a display. */
export const WEBKIT: readonly Counterpart[] = [
  { program: 'WebKitWebDriver', debianPackage: 'webkit2gtk-driver' },
  { program: 'Xvfb', debianPackage: 'xvfb' },
]

const START_WITHIN_MS = 15_000
/** For the answer to a command. */
const PATIENCE_MS = 30_000
/** The name of an element in the protocol. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

export interface WebKitElement {
  [ELEMENT]: string
}

/** Debian's WebKitGTK with its driver and a display of its own. A session is a new browser without any storage; the driver has one at a time. */
export class WebKit {
  readonly #display: Daemon
  readonly #environment: NodeJS.ProcessEnv
  readonly #home: string
  #driver: Daemon | null = null
  #origin = ''
  #session = ''
  #window = ''
  version = ''

  private constructor(parts: { display: Daemon; displayNumber: string; home: string }) {
    this.#display = parts.display
    this.#home = parts.home
    const own = { DISPLAY: `:${parts.displayNumber}`, HOME: parts.home, XDG_RUNTIME_DIR: parts.home, LANG: 'C.UTF-8' }
    this.#environment = { ...process.env, ...own }
  }

  /** Null if a package is not installed. @throws when it does not start */
  static async start(): Promise<WebKit | null> {
    if (!WEBKIT.every(({ program }) => isInstalled(program))) return null
    const display = new Daemon('Xvfb', ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'])
    const displayNumber = await until(async () => /^\d+/m.exec(display.output)?.[0], { withinMs: START_WITHIN_MS })
    if (displayNumber === null) throw new Error(`Xvfb did not start: ${display.output}`)
    const webkit = new WebKit({ display, displayNumber, home: mkdtempSync(join(tmpdir(), 'association-webkit-')) })
    await webkit.#startDriver()
    return webkit
  }

  async #startDriver(): Promise<void> {
    await this.#driver?.stop()
    const port = await freePort()
    this.#origin = `http://127.0.0.1:${port}`
    this.#driver = new Daemon('WebKitWebDriver', [`--port=${port}`], { env: this.#environment })
    const ready = await until(() => this.#call('GET', '/status').catch(() => null), { withinMs: START_WITHIN_MS })
    if (!ready) throw new Error(`WebKitWebDriver did not start: ${this.#driver.output}`)
  }

  /** Replaces the browser by a new one; resolves with its window. */
  async restart({ timeZone }: { timeZone?: string } = {}): Promise<string> {
    await this.#leave()
    const args = ['--automation', ...(timeZone ? [`--time-zone=${timeZone}`] : [])]
    const wanted = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { args } } } }
    // Now and then a browser that the driver has started never reports to it.
    const started = await this.#call('POST', '/session', wanted).catch(async () => {
      await this.#startDriver()
      return this.#call('POST', '/session', wanted)
    })
    const { sessionId, capabilities } = started as { sessionId: string; capabilities: { browserVersion: string } }
    this.#session = `/session/${sessionId}`
    this.version = capabilities.browserVersion
    this.#window = (await this.#call('GET', `${this.#session}/window`)) as string
    return this.#window
  }

  /** Resolves with the new window, or tab, of the same browser. */
  async openWindow(): Promise<string> {
    const { handle } = (await this.#tell('/window/new', { type: 'tab' })) as { handle: string }
    return handle
  }

  /** Gives the following commands to a window. */
  async enter(window: string): Promise<void> {
    if (window === this.#window) return
    await this.#tell('/window', { handle: window })
    this.#window = window
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#tell('/window/rect', { width, height })
  }

  async open(url: string): Promise<void> {
    await this.#tell('/url', { url })
  }

  async url(): Promise<string> {
    return (await this.#call('GET', `${this.#session}/url`)) as string
  }

  /** Runs in the page; resolves with what it returns, where elements are references. */
  async run<R, W extends unknown[]>(work: (...words: W) => R, ...words: W): Promise<Awaited<R>> {
    return (await this.#tell('/execute/async', {
      script: `const done = arguments[arguments.length - 1];
        Promise.resolve().then(() => (${work.toString()})(...arguments[0])).then((value) => done({ value }), (error) => done({ error: String(error) }))`,
      args: [words],
    }).then((answer) => {
      const { value, error } = answer as { value?: unknown; error?: string }
      if (error !== undefined) throw new Error(error)
      return value
    })) as Awaited<R>
  }

  async click(element: WebKitElement): Promise<void> {
    await this.#tell(`/element/${element[ELEMENT]}/click`, {})
  }

  /** Replaces a field's value by keystrokes. */
  async type(element: WebKitElement, text: string): Promise<void> {
    await this.#tell(`/element/${element[ELEMENT]}/clear`, {})
    await this.#tell(`/element/${element[ELEMENT]}/value`, { text })
  }

  async stop(): Promise<void> {
    await this.#leave().catch(() => {})
    await this.#driver?.stop()
    await this.#display.stop()
    rmSync(this.#home, { recursive: true, force: true })
  }

  async #leave(): Promise<void> {
    if (this.#session) await this.#call('DELETE', this.#session)
    this.#session = ''
  }

  #tell(path: string, body: unknown): Promise<unknown> {
    return this.#call('POST', `${this.#session}${path}`, body)
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const name = `${method} ${path.replace(/^\/session\/[^/]+/, '')}`
    const response = await fetch(this.#origin + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`)
    })
    const { value } = (await response.json()) as { value: unknown }
    if (response.ok) return value
    const { error, message } = value as { error: string; message: string }
    throw new Error(`${name}: ${error} ${message}`)
  }
}
