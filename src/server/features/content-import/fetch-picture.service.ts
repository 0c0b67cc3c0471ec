import { lookup as lookUpHost, type LookupAddress } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { PICTURE_MAX_BYTES } from '#contract/console/media.ts'

/** A picture of another website that could not be fetched; the message is a sentence for officers. */
export class PictureUnavailableError extends Error {}

/** @throws PictureUnavailableError */
export type FetchPicture = (url: string, allowedHosts: ReadonlySet<string>) => Promise<Buffer>

interface Network {
  /** All addresses of a host. */
  lookup(host: string): Promise<readonly LookupAddress[]>
  isPublic(address: string): boolean
  /** Whether a port may be asked; '' is the scheme's own. */
  isPort(port: string): boolean
}

const TIMEOUT_MS = 10_000
const MOST_REDIRECTS = 3

const TOO_LARGE = 'The picture is larger than 25 MB.'
const NOT_REACHED = 'The former website did not send it.'
const ELSEWHERE = 'It is on another website than the one of the export.'
const PRIVATE = 'Its address leads into a private network.'

/** Special-purpose addresses (RFC 6890 and its registry): loopback, link-local, private and reserved ones. */
const SPECIAL = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  SPECIAL.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 contains IPv4 addresses.
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  SPECIAL.addSubnet(net, prefix, 'ipv6')
/** Global unicast (RFC 4291, 2.4): IPv4-mapped, NAT64, local and multicast addresses are outside of it. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL.check(address, 'ipv4')
  return isIP(address) === 6 && GLOBAL.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6')
}

/**
 * Fetches pictures of a former website. A host is asked only if it is allowed and all of its addresses are public, and at the very address that was
 * checked, also after a redirect, so that an export cannot make the site call a private network. The caller checks that the bytes are a picture.
 * @param network replaced by tests
 */
export function createPictureFetcher({
  lookup = lookUpAll,
  isPublic = isPublicAddress,
  isPort = (port) => port === '',
}: Partial<Network> = {}): FetchPicture {
  async function findAddress(hostname: string): Promise<LookupAddress> {
    const host = hostname.replace(/^\[|\]$/g, '')
    const literal = isIP(host)
    const found = literal === 0 ? await lookup(host).catch(() => []) : [{ address: host, family: literal }]
    const [first] = found
    if (!first) throw new PictureUnavailableError('The former website has no address.')
    if (!found.every(({ address }) => isPublic(address))) throw new PictureUnavailableError(PRIVATE)
    return first
  }

  return async (start, allowedHosts) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    let url = readUrl(start)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      if (!url || !isPort(url.port)) throw new PictureUnavailableError('Its address is not a link to a picture.')
      if (!allowedHosts.has(url.hostname)) throw new PictureUnavailableError(ELSEWHERE)
      const response = await ask(url, await findAddress(url.hostname), signal)
      const { statusCode = 0, headers } = response
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy()
        url = readUrl(headers.location, url)
        continue
      }
      if (statusCode !== 200) {
        response.destroy()
        throw new PictureUnavailableError(
          statusCode === 404 || statusCode === 410 ? 'The former website no longer has it.' : NOT_REACHED,
        )
      }
      return readAll(response)
    }
    throw new PictureUnavailableError('Its address leads from one address to the next.')
  }
}

function readUrl(text: string, base?: URL): URL | null {
  const url = URL.canParse(text, base) ? new URL(text, base) : null
  return url && /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : null
}

/** Connects to the address that was checked: the name is not looked up again. */
async function ask(url: URL, { address, family }: LookupAddress, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, {
    signal,
    agent: false,
    // Node asks for all addresses or for one.
    lookup: (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family)),
    headers: { accept: 'image/*', 'accept-encoding': 'identity' },
  })
  request.on('response', resolve)
  request.on('error', () => reject(new PictureUnavailableError(NOT_REACHED)))
  request.end()
  return promise
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > PICTURE_MAX_BYTES) throw new PictureUnavailableError(TOO_LARGE)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof PictureUnavailableError ? error : new PictureUnavailableError(NOT_REACHED)
  }
  return Buffer.concat(chunks)
}

function lookUpAll(host: string): Promise<LookupAddress[]> {
  const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>()
  lookUpHost(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found)))
  return promise
}
