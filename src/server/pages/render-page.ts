import type { RouterContext, ServerBuild } from 'react-router'
import type { FrameContents, PageServices } from './page-services.ts'

export interface RenderedPage {
  status: number
  contentType: string
  /** Those the browser's part of the framework looks for on its data addresses, and where a redirection leads. */
  frameworkHeaders: [name: string, value: string][]
  body: Buffer
  /** What the frame was made of; null when it was not needed or could not be had. */
  frame: FrameContents | null
  /** A service refused, so a bad status is no fault of the page. */
  servicesFailed: boolean
}

/** Renders the address, a path with the queries that matter, for an anonymous visitor. */
export type RenderPage = (address: string) => Promise<RenderedPage>

/** What `src/web/entry.server.tsx` exports besides what the framework wants. */
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

/** NODE_ENV must be set before this is called: it decides which form of react and react-router is loaded (stack, trap 4). */
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
      frame: watched.frame(),
      servicesFailed: watched.hasFailed(),
    }
  }
}

/** The same services, remembering whether one failed and what the frame was. */
function watchServices(services: PageServices, onFailure: (error: unknown) => void) {
  let failed = false
  // Assigned in a callback, which narrowing does not see.
  let frame = null as FrameContents | null

  async function watch(name: string | symbol, call: () => Promise<unknown>): Promise<unknown> {
    try {
      const result = await call()
      if (name === 'frame') frame = result as FrameContents
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
      return (...values: unknown[]) => watch(name, async () => service.apply(target, values))
    },
  })
  return { services: watched, hasFailed: () => failed, frame: () => frame }
}
