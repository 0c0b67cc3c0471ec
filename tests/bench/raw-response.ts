import { get, type IncomingHttpHeaders } from 'node:http'

/** An answer as it travelled: nothing is unpacked. */
export interface ExactAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

export function getExactly(url: string, headers: Record<string, string> = {}): Promise<ExactAnswer> {
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

/** The page in Brotli, which the site makes a moment after its first reader. */
export async function getBrotli(url: string): Promise<ExactAnswer> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await getExactly(url, { 'accept-encoding': 'br' })
    if (answer.headers['content-encoding'] === 'br') return answer
    await new Promise((next) => setTimeout(next, 25))
  }
  throw new Error(`${url} never came in Brotli`)
}
