import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findBrowser } from '#tests/support/browser.ts'
import { ask } from '#tests/trust/http.ts'
import { until } from '#tests/trust/load.ts'
import type { Look, LookAnswer, LookOrder } from './lighthouse-look.ts'
import { bareEnvironment, findPorts, Program } from './programs.ts'

export type { Look } from './lighthouse-look.ts'

const WORKER = join(import.meta.dirname, 'workers', 'lighthouse.ts')

/** A browser and a process of Lighthouse's own: several can look at once. */
export interface LighthouseBrowser {
  /** One look at a time. */
  look(url: string, categories: readonly string[]): Promise<Look>
  close(): Promise<void>
}

/** Whether two looks gave the same scores: the median of three would be theirs, whatever a third one says. */
export function isSettled(looks: readonly Look[]): boolean {
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
    // Else the processes of pages that were left often do not answer when a trace ends, and each look waits for them for five seconds.
    '--renderer-process-limit=1',
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${folder}`,
  ]
  const browser = new Program(executablePath, [...words, 'about:blank'], `${folder}.log`, { env: bareEnvironment() })
  const answers = await until(() => ask(`http://127.0.0.1:${port}`, { path: '/json/version' }).catch(() => null))
  if (!answers) throw new Error(`Chromium does not answer on its port:\n${browser.output}`)
  const worker = fork(WORKER, { env: bareEnvironment(), stdio: 'inherit' })
  const ended = once(worker, 'exit').then(([code]): LookAnswer => ({ problem: `Lighthouse ended with ${code}` }))
  return {
    async look(url, categories) {
      const told = once(worker, 'message').then(([answer]) => answer as LookAnswer)
      worker.send({ url, port, categories } satisfies LookOrder)
      const answer = await Promise.race([told, ended])
      if ('problem' in answer) throw new Error(answer.problem)
      return answer.look
    },
    async close() {
      worker.disconnect()
      await ended
      await browser.stop()
    },
  }
}
