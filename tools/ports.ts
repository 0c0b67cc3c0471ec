import { createServer } from 'node:net'

/** Whether the port is free. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** Consecutive free ports for site, stand-ins and mailbox. */
export async function findFreePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const first = 20_000 + Math.floor(Math.random() * 20_000)
    const free = await Promise.all(Array.from({ length: count }, (_, offset) => isPortFree(first + offset)))
    if (free.every(Boolean)) return first
  }
  throw new Error(`No ${count} free ports in a row were found between 20000 and 40000.`)
}
