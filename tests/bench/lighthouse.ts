import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findBrowser } from '#tests/support/browser/browser.ts'
import { request } from '#tests/trust/http.ts'
import { until } from '#tests/trust/load.ts'
import type { LighthouseRun, LighthouseResponse, LighthouseRequest } from './lighthouse-run.ts'
import { bareEnvironment, findPorts, Program } from './programs.ts'

export type { LighthouseRun as Look } from './lighthouse-run.ts'

const WORKER = join(import.meta.dirname, 'workers', 'lighthouse.ts')

/** A browser and a Lighthouse process: several can run in parallel. */
export interface LighthouseBrowser {
  /** One run at a time. */
  look(url: string, categories: readonly string[]): Promise<LighthouseRun>
  close(): Promise<void>
}

/** Whether two runs have the same scores: then they are the median of three, whatever the third one is. */
export function agree(looks: readonly LighthouseRun[]): boolean {
  const [one, other] = looks
  if (!one || !other) return false
  return Object.entries(one.scores).every(([category, score]) => other.scores[category] === score)
}

/** @param folder for the browser's profile, an empty one */
export async function startLighthouse(folder: string): Promise<LighthouseBrowser> {
  const { executablePath, args } = await findBrowser()
  const [port = 0] = await findPorts(1)
  const words = [
    ...args,
    '--headless=new',
    '--no-first-run',
    '--hide-scrollbars',
    // Otherwise processes of closed pages often do not respond when a trace ends, and each run waits five seconds for them.
    '--renderer-process-limit=1',
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${folder}`,
  ]
  const browser = new Program(executablePath, [...words, 'about:blank'], `${folder}.log`, { env: bareEnvironment() })
  const version = await until(() => request(`http://127.0.0.1:${port}`, { path: '/json/version' }).catch(() => null))
  if (!version) throw new Error(`Chromium does not respond on its port:\n${browser.output}`)
  const worker = fork(WORKER, { env: bareEnvironment(), stdio: 'inherit' })
  const ended = once(worker, 'exit').then(([code]): LighthouseResponse => ({
    problem: `Lighthouse ended with ${code}`,
  }))
  return {
    async look(url, categories) {
      const told = once(worker, 'message').then(([response]) => response as LighthouseResponse)
      worker.send({ url, port, categories } satisfies LighthouseRequest)
      const reply = await Promise.race([told, ended])
      if ('problem' in reply) throw new Error(reply.problem)
      return reply.look
    },
    async close() {
      worker.disconnect()
      await ended
      await browser.stop()
    },
  }
}
