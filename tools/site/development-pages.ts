import { createServer, type ViteDevServer } from 'vite'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouterContext, ServerBuild } from 'react-router'
import type { Pages } from '#server/pages/page-server.ts'
import type { PageServices } from '#server/pages/page-services.ts'

interface DevelopmentPagesOptions {
  services: PageServices
  /** What the API and the probes answer; everything else is a page or a source file. */
  isForServer(path: string): boolean
  /** Where the browser listens for changes; a port of its own, since the site's server is not Vite's. */
  hotReloadPort: number
}

/** Pages straight from the sources, with hot reload and without cache: for `npm run dev` alone, where `createPages` would want a build. */
export async function createDevelopmentPages(
  options: DevelopmentPagesOptions,
): Promise<Pages & { close(): Promise<void> }> {
  const { services, isForServer, hotReloadPort } = options
  const vite = await createServer({
    appType: 'custom',
    // Found beforehand: what is found later reloads the page under the developer's hands.
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

  function answer(req: IncomingMessage, res: ServerResponse): void {
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
      answer(req, res)
      return true
    },
    // Pages are made by Vite here, which also answers what nobody knows.
    knows: () => true,
    answerNotFound: answer,
    stop() {},
    close: () => vite.close(),
  }
}

async function loadBuild(vite: ViteDevServer): Promise<ServerBuild> {
  return (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
}
