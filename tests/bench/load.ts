import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { bareEnvironment, findProgram } from './programs.ts'

const run = promisify(execFile)

export interface Load {
  url: string
  connections: number
  seconds: number
  headers?: Record<string, string>
}

export interface LoadResult {
  requestsPerSecond: number
  p99Ms: number
  /** Responses other than 2xx, broken connections and timeouts. */
  errors: number
}

const wrk = findProgram('wrk')

/** Such as `wrk`, for the report. */
export const loadTool = wrk ? 'wrk' : 'autocannon'

/** Sends as many requests as the server can handle, from one thread, one request at a time per connection. */
export function press(load: Load): Promise<LoadResult> {
  return wrk ? pressWithWrk(wrk, load) : pressWithAutocannon(load)
}

async function pressWithWrk(program: string, { url, connections, seconds, headers = {} }: Load): Promise<LoadResult> {
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '5s']
  for (const [name, value] of Object.entries(headers)) words.push('-H', `${name}: ${value}`)
  const { stdout } = await run(program, [...words, url])
  const [, rate] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  const [, p99, unit = ''] = /\n\s+99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  if (rate === undefined || p99 === undefined) throw new Error(`wrk said what this program cannot read:\n${stdout}`)
  const [, broken = ''] = /Socket errors: (.*)/.exec(stdout) ?? []
  const errors = [...broken.matchAll(/\d+/g), ...stdout.matchAll(/(?<=Non-2xx or 3xx responses: )\d+/g)]
  return {
    requestsPerSecond: Number(rate),
    p99Ms: Number(p99) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN),
    errors: errors.reduce((sum, [count]) => sum + Number(count), 0),
  }
}

async function pressWithAutocannon({ url, connections, seconds, headers = {} }: Load): Promise<LoadResult> {
  const program = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
  const words = [program, '--json', '-c', String(connections), '-d', String(seconds)]
  for (const [name, value] of Object.entries(headers)) words.push('-H', `${name}=${value}`)
  const { stdout } = await run(process.execPath, [...words, url], { env: bareEnvironment(), maxBuffer: 4_000_000 })
  const said = JSON.parse(stdout) as {
    requests: { average: number }
    latency: { p99: number }
    errors: number
    timeouts: number
    non2xx: number
  }
  return {
    requestsPerSecond: said.requests.average,
    p99Ms: said.latency.p99,
    errors: said.errors + said.timeouts + said.non2xx,
  }
}
