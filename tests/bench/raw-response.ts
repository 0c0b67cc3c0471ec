import { get, type IncomingHttpHeaders } from 'node:http'

/** A response as sent over the wire, not decompressed. */
export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

export function fetchRaw(url: string, headers: Record<string, string> = {}): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) })
      })
    }).on('error', reject)
  })
}

/** The page in Brotli, which the site compresses a moment after the first request. */
export async function getBrotli(url: string): Promise<RawResponse> {
  for (let tries = 0; tries < 200; tries++) {
    const response = await fetchRaw(url, { 'accept-encoding': 'br' })
    if (response.headers['content-encoding'] === 'br') return response
    await new Promise((next) => setTimeout(next, 25))
  }
  throw new Error(`${url} never came in Brotli`)
}
