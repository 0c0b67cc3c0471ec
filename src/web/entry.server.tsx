import { text } from 'node:stream/consumers'
import { PassThrough } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from 'react-router'
import type { PublishedBrand } from '#contract/brand/brand.ts'
import { brandCss } from '#contract/brand/brand-css.ts'
import { paletteOf } from '#contract/brand/palette.ts'
import { BrandRenderingContext } from './app/document/brand-rendering.ts'
import { pageErrorContext } from './app/page-services-context.ts'
import { deferModules } from './app/document/start-scripts.ts'
import { isInConsole } from './app/paths.ts'

// The server imports these from the build's entry module.
export { pageData } from './app/page-data.ts'
export { pageErrorContext, pageServicesContext } from './app/page-services-context.ts'

export const streamTimeout = 5_000

const BRAND_RENDERING = {
  css: brandCss,
  toolbarColors(brand: PublishedBrand | undefined) {
    const { light, dark } = paletteOf(brand)
    return { light: light.paper, dark: dark.paper }
  },
}

/** Renders the whole document before responding: pages are cached and served whole, so there is nothing to stream. */
export default function renderDocument(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const atOnce = isInConsole(new URL(request.url).pathname)
  return new Promise((resolve, reject) => {
    let failed = false
    const page = (
      <BrandRenderingContext value={BRAND_RENDERING}>
        <ServerRouter context={routerContext} url={request.url} />
      </BrandRenderingContext>
    )
    const { pipe, abort } = renderToPipeableStream(page, {
      // Otherwise React would send large parts out of order and move them into place with more inline scripts.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        clearTimeout(timeout)
        headers.set('Content-Type', 'text/html; charset=utf-8')
        text(pipe(new PassThrough())).then(
          (html) => resolve(new Response(deferModules(html, { atOnce }), { status: failed ? 500 : status, headers })),
          reject,
        )
      },
      onShellError(error) {
        clearTimeout(timeout)
        reject(error)
      },
      onError(error) {
        failed = true
        loadContext.get(pageErrorContext)(error)
      },
    })
    const timeout = setTimeout(() => abort(new Error('The page took too long to render')), streamTimeout)
  })
}

export const handleError: HandleErrorFunction = (error, { context }) => {
  context.get(pageErrorContext)(error)
}
