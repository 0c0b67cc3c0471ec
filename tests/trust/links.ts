import { ask, type Answer } from './http.ts'
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

/** A place in a document that leads somewhere. */
export interface Reference {
  from: string
  url: URL
}

/** Everything a document refers to, resolved. What is no address at all is in `broken`. */
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

/** Asks for every internal address once, and for what its style sheets and manifests name in turn. Answers by path and query. */
export async function fetchAll(world: World, references: readonly Reference[]): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  let waiting = references.filter(({ url }) => isOwn(url, world))
  while (waiting.length > 0) {
    const fresh = [...new Set(waiting.map(({ url }) => url.pathname + url.search))].filter((path) => !answers.has(path))
    const more = await inParallel(fresh, AT_ONCE, async (path) => {
      const answer = await ask(world.site.origin, { path, headers: { 'accept-encoding': 'identity' } })
      answers.set(path, answer)
      return namedIn(answer).map((name) => ({ from: path, url: new URL(name, world.siteUrl + path) }))
    })
    waiting = more.flat().filter(({ url }) => isOwn(url, world))
  }
  return answers
}

export function isOwn(url: URL, { siteUrl }: World): boolean {
  return url.origin === siteUrl
}

function namedIn({ headers, text }: Answer): string[] {
  const type = String(headers['content-type'])
  if (type.startsWith('text/css'))
    return [...text.matchAll(/url\(["']?([^"')]+)["']?\)/g)]
      .map(([, name = '']) => name)
      .filter((it) => !it.startsWith('data:'))
  if (type.startsWith('application/manifest'))
    return ((JSON.parse(text) as { icons?: { src: string }[] }).icons ?? []).map(({ src }) => src)
  return []
}
