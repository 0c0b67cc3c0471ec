export type Destination = 'site' | 'standins' | 'robots' | 'nowhere'

/** What a visitor's browser needs of the stand-ins: the pages to pay on, the bot check and the map. */
const OF_STANDINS = [
  /^GET \/(?:checkout|portal|invoices|receipts)\/[\w-]+$/,
  /^POST \/(?:checkout|portal)\/[\w-]+(?:\/[a-z]+)?$/,
  /^GET \/recaptcha\/(?:api\.js|token)$/,
  /^GET \/map$/,
]

/** For this machine only, and what providers send, which only the stand-ins do here. */
const CLOSED = /^\/(?:metrics|readyz|api\/stripe\/webhook|api\/newsletter\/bounces)(?:\/|$)/

/** Where the gateway of a demo passes a request on to. */
export function destinationOf(method: string, url: string): Destination {
  const [path = '/'] = url.split('?')
  if (!path.startsWith('/')) return 'nowhere'
  if (OF_STANDINS.some((pattern) => pattern.test(`${method === 'HEAD' ? 'GET' : method} ${path}`))) return 'standins'
  const plain = decoded(path)
    .replaceAll(/\/{2,}/g, '/')
    .toLowerCase()
  if (CLOSED.test(plain)) return 'nowhere'
  return plain === '/robots.txt' ? 'robots' : 'site'
}

/** The address of the visitor: the entry that the outermost trusted proxy added. */
export function clientAddress(chain: string, proxies: number): string {
  const addresses = chain.split(',').map((address) => address.trim())
  return addresses.at(-1 - proxies) ?? addresses[0] ?? ''
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
