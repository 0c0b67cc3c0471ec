import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import type { ServerBuild } from 'react-router'
import { bareEnvironment, findPorts, ROOT } from './programs.ts'

/** A minimal application of these versions: one page, one sentence, and the scripts that hydrate it. */
const FILES = {
  'src/web/routes.ts': `
    import { index } from '@react-router/dev/routes'
    export default [index('home.tsx')]`,
  'src/web/root.tsx': `
    import { Links, Meta, Outlet, Scripts } from 'react-router'
    export default function Root() {
      return (
        <html lang="en">
          <head><meta charSet="utf-8" /><Meta /><Links /></head>
          <body><Outlet /><Scripts /></body>
        </html>
      )
    }`,
  'src/web/home.tsx': `
    export default function Home() {
      return <h1>A bare page</h1>
    }`,
  // Without it the framework adds isbot to package.json and installs it.
  'src/web/entry.server.tsx': `
    import { renderToString } from 'react-dom/server'
    import { ServerRouter } from 'react-router'
    export default function render(request, status, headers, context) {
      headers.set('Content-Type', 'text/html; charset=utf-8')
      const html = renderToString(<ServerRouter context={context} url={request.url} />)
      return new Response('<!DOCTYPE html>' + html, { status, headers })
    }`,
}

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css' }

/** Builds a bare application with the site's versions and settings and serves it, compressed like the site. @param folder an empty one */
export async function serveBarePage(folder: string): Promise<{ url: string; close(): void }> {
  const buildDirectory = join(folder, 'built')
  await build(folder, buildDirectory)
  // Imported dynamically, since NODE_ENV selects the build that is loaded; only this program needs it.
  const { createRequestHandler, RouterContextProvider } = await import('react-router')
  const module: unknown = await import(pathToFileURL(join(buildDirectory, 'server', 'index.js')).href)
  const responsePage = createRequestHandler(module as ServerBuild, 'production')
  const [port] = await findPorts(1)
  const url = `http://localhost:${port}`

  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    void reply(path).then(
      ({ type, body }) => {
        const small = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
        response.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'content-length': small.length })
        response.end(small)
      },
      () => response.writeHead(404, { 'content-length': 0 }).end(),
    )
  })

  async function reply(path: string): Promise<{ type: string; body: Buffer }> {
    if (path === '/') {
      const page = await responsePage(new Request(url), new RouterContextProvider())
      return { type: 'text/html', body: Buffer.from(await page.arrayBuffer()) }
    }
    const type = TYPES[path.split('.').at(-1) ?? '']
    if (!type || path.includes('..')) throw new Error(`The bare page has no ${path}`)
    return { type, body: readFileSync(join(buildDirectory, 'client', path)) }
  }

  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return {
    url,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function build(folder: string, buildDirectory: string): Promise<void> {
  mkdirSync(join(folder, 'src', 'web', 'app', 'failures'), { recursive: true })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  // The last one is what the build's settings need from the site.
  const own = ['package.json', 'vite.config.ts', 'react-router.config.ts', 'src/web/app/failures/script-missing.ts']
  for (const name of own) {
    copyFileSync(join(ROOT, name), join(folder, name))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const program = join(ROOT, 'node_modules', '@react-router', 'dev', 'bin.cjs')
  await promisify(execFile)(process.execPath, [program, 'build'], {
    cwd: folder,
    env: bareEnvironment({ NODE_ENV: 'production', SITE_BUILD_DIRECTORY: buildDirectory }),
  })
}
