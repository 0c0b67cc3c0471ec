import { createServer, type ViteDevServer } from 'vite'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouterContext, ServerBuild } from 'react-router'
import type { Pages } from '#server/pages/page-server.ts'
import type { PageServices } from '#server/pages/page-services.ts'

interface DevelopmentPagesOptions {
  services: PageServices
  /** Paths of the API and the probes; everything else is a page or a source file. */
  isForServer(path: string): boolean
  /** The port for hot reload; separate, since the site's server is not Vite's. */
  hotReloadPort: number
}

/** Pages from the sources, with hot reload and without cache: for `npm run dev` only, where `createPages` would need a build. */
export async function createDevelopmentPages(
  options: DevelopmentPagesOptions,
): Promise<Pages & { close(): Promise<void> }> {
  const { services, isForServer, hotReloadPort } = options
  const vite = await createServer({
    appType: 'custom',
    // Optimized in advance: dependencies found later would reload the page during development.
    optimizeDeps: { entries: ['src/web/**/*.{ts,tsx}', '!**/*.test.*'] },
    server: { middlewareMode: true, ws: { port: hotReloadPort } },
  })
  const { createRequestListener } = await import('@react-router/node')
  const { RouterContextProvider } = await import('react-router')

  async function renderPage(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const build = await loadBuild(vite)
    const { pageServicesContext, pageErrorContext } = build.entry.module as unknown as {
      pageServicesContext: RouterContext<PageServices>
      pageErrorContext: RouterContext<(error: unknown) => void>
    }
    const listen = createRequestListener({
      build,
      mode: 'development',
      getLoadContext() {
        const context = new RouterContextProvider()
        context.set(pageServicesContext, services)
        context.set(pageErrorContext, (error) => {
          if (error instanceof Error) vite.ssrFixStacktrace(error)
          console.error(error)
        })
        return context
      },
    })
    listen(req, res)
  }

  function response(req: IncomingMessage, res: ServerResponse): void {
    vite.middlewares(req, res, () => {
      renderPage(req, res).catch((error: unknown) => {
        console.error(error)
        res.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error))
      })
    })
  }

  return {
    handle(req, res) {
      if (isForServer((req.url ?? '/').split('?')[0] ?? '/')) return false
      response(req, res)
      return true
    },
    // Vite renders pages here and also handles unknown paths.
    knows: () => true,
    sendNotFound: response,
    stop() {},
    close: () => vite.close(),
  }
}

async function loadBuild(vite: ViteDevServer): Promise<ServerBuild> {
  return (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
}
