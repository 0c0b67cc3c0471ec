import { createHash } from 'node:crypto'
import type { RouterContext, ServerBuild } from 'react-router'
import type { RootData, PageServices } from './page-services.ts'

export interface RenderedPage {
  status: number
  contentType: string
  /** The headers that the framework's client reads from data responses, and the location of a redirect. */
  frameworkHeaders: [name: string, value: string][]
  body: Buffer
  /** The root data that was used; null if it was not needed or failed to load. */
  rootData: RootData | null
  /** A service failed, so an error status is not the page's fault. */
  servicesFailed: boolean
  /** What the page's loaders read: the page is the same as long as all of this is. null if something failed or changed while it was rendered. */
  reads: readonly ServiceRead[] | null
}

/** A call of a page service. */
export interface ServiceRead {
  /** Its name and arguments. */
  key: string
  /** Of its result. */
  fingerprint: string
  /** Calls the service again and returns the fingerprint of the result now. */
  again(): Promise<string>
}

/** Renders a URL, a path with the relevant query parameters, for an anonymous visitor. */
export type RenderPage = (address: string) => Promise<RenderedPage>

/** The exports of `src/web/entry.server.tsx` that the framework does not use. */
interface EntryModule {
  pageServicesContext: RouterContext<PageServices>
  pageErrorContext: RouterContext<(error: unknown) => void>
}

interface RendererOptions {
  build: ServerBuild
  services: PageServices
  siteUrl: string
  onError: (error: unknown, address: string) => void
}

/** NODE_ENV must be set before this is called: it decides which build of react and react-router is loaded. */
export async function createRenderer({ build, services, siteUrl, onError }: RendererOptions): Promise<RenderPage> {
  const { createRequestHandler, RouterContextProvider } = await import('react-router')
  const handleRequest = createRequestHandler(build, 'production')
  const { pageServicesContext, pageErrorContext } = build.entry.module as unknown as EntryModule

  return async function renderPage(address) {
    const watched = watchServices(services, (error) => onError(error, address))
    const context = new RouterContextProvider()
    context.set(pageServicesContext, watched.services)
    context.set(pageErrorContext, (error) => {
      if (!watched.hasFailed()) onError(error, address)
    })
    const response = await handleRequest(new Request(siteUrl + address), context)
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? 'text/plain; charset=utf-8',
      frameworkHeaders: [...response.headers].filter(([name]) => name.startsWith('x-remix-') || name === 'location'),
      body: Buffer.from(await response.arrayBuffer()),
      rootData: watched.rootData(),
      servicesFailed: watched.hasFailed(),
      reads: watched.reads(),
    }
  }
}

/** Wraps the services to record what they return and whether one failed. */
function watchServices(services: PageServices, onFailure: (error: unknown) => void) {
  let failed = false
  // Assigned in a callback, which type narrowing does not track.
  let rootData = null as RootData | null
  const reads = new Map<string, ServiceRead>()
  let isMixed = false

  async function watch(name: string, values: unknown[], call: () => Promise<unknown>): Promise<unknown> {
    try {
      const result = await call()
      if (name === 'rootData') rootData = result as RootData
      const key = `${name} ${JSON.stringify(values)}`
      const fingerprint = fingerprintOf(result)
      // The content changed between two calls, so the page may show the state before.
      if ((reads.get(key)?.fingerprint ?? fingerprint) !== fingerprint) isMixed = true
      reads.set(key, { key, fingerprint, again: async () => fingerprintOf(await call()) })
      return result
    } catch (error) {
      if (!failed) onFailure(error)
      failed = true
      throw error
    }
  }

  const watched = new Proxy(services, {
    get(target, name) {
      const service: unknown = Reflect.get(target, name)
      if (typeof service !== 'function') return service
      return (...values: unknown[]) => watch(String(name), values, async () => service.apply(target, values))
    },
  })
  return {
    services: watched,
    hasFailed: () => failed,
    rootData: () => rootData,
    reads: () => (failed || isMixed ? null : [...reads.values()]),
  }
}

/** Loaders get plain data, which is sent to the browser as well. */
function fingerprintOf(result: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(result) ?? '')
    .digest('base64')
}
