import { request, type HttpResponse } from './http.ts'
import { inParallel } from './load.ts'
import type { World } from './site.ts'

const AT_ONCE = 4
const REFERRING: [selector: string, attribute: string][] = [
  ['a[href]', 'href'],
  ['link[href]', 'href'],
  ['img[src], script[src], iframe[src], source[src], video[src]', 'src'],
  ['form[action]', 'action'],
  ['meta[property^="og:image"]', 'content'],
  ['meta[property="og:url"]', 'content'],
]

/** A reference in a document. */
export interface Reference {
  from: string
  url: URL
}

/** All references of a document, resolved. Invalid URLs are in `broken`. */
export function referencesIn(document: Document, from: string, base: string): { found: Reference[]; broken: string[] } {
  const raw = REFERRING.flatMap(([selector, attribute]) =>
    [...document.querySelectorAll(selector)].map((element) => element.getAttribute(attribute) ?? ''),
  )
  const sets = [...document.querySelectorAll('[srcset], [imagesrcset]')].flatMap((element) =>
    (element.getAttribute('srcset') ?? element.getAttribute('imagesrcset') ?? '')
      .split(',')
      .map((candidate) => candidate.trim().split(/\s+/)[0] ?? ''),
  )
  const held = [...document.querySelectorAll('[data-files]')].flatMap((element) =>
    (element.getAttribute('data-files') ?? '').split(' '),
  )
  const addresses = [...raw, ...sets, ...held].filter(
    (address, at, all) => address !== '' && all.indexOf(address) === at,
  )
  return {
    found: addresses.filter((it) => URL.canParse(it, base)).map((it) => ({ from, url: new URL(it, base) })),
    broken: addresses.filter((it) => !URL.canParse(it, base)),
  }
}

/** Requests every internal URL once, and those in its style sheets and manifests. Returns responses by path and query. */
export async function fetchAll(world: World, references: readonly Reference[]): Promise<Map<string, HttpResponse>> {
  const responses = new Map<string, HttpResponse>()
  let waiting = references.filter(({ url }) => isOwn(url, world))
  while (waiting.length > 0) {
    const fresh = [...new Set(waiting.map(({ url }) => url.pathname + url.search))].filter(
      (path) => !responses.has(path),
    )
    const more = await inParallel(fresh, AT_ONCE, async (path) => {
      const response = await request(world.site.origin, { path, headers: { 'accept-encoding': 'identity' } })
      responses.set(path, response)
      return namedIn(response).map((name) => ({ from: path, url: new URL(name, world.siteUrl + path) }))
    })
    waiting = more.flat().filter(({ url }) => isOwn(url, world))
  }
  return responses
}

export function isOwn(url: URL, { siteUrl }: World): boolean {
  return url.origin === siteUrl
}

function namedIn({ headers, text }: HttpResponse): string[] {
  const type = String(headers['content-type'])
  if (type.startsWith('text/css'))
    return [...text.matchAll(/url\(["']?([^"')]+)["']?\)/g)]
      .map(([, name = '']) => name)
      .filter((it) => !it.startsWith('data:'))
  if (type.startsWith('application/manifest'))
    return ((JSON.parse(text) as { icons?: { src: string }[] }).icons ?? []).map(({ src }) => src)
  return []
}
