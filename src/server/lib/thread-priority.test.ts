import { execFile } from 'node:child_process'
import { getPriority } from 'node:os'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const PROGRAM = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { getPriority } from 'node:os'
  import { lowerThreadPoolPriority } from ${JSON.stringify(resolve(import.meta.dirname, 'thread-priority.ts'))}
  await lowerThreadPoolPriority()
  const threads = readdirSync('/proc/self/task').map((id) => [
    readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim(), getPriority(Number(id)), Number(id) === process.pid,
  ])
  console.log(JSON.stringify({
    pool: threads.filter(([name]) => name === 'libuv-worker').map(([, priority]) => priority),
    loop: threads.filter(([,, isLoop]) => isLoop).map(([, priority]) => priority),
  }))
`

test.runIf(process.platform === 'linux')(
  'only the threads of the pool get a lower priority than the event loop',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM])
    const own = getPriority()
    const nicer = Math.min(own + 10, 19)
    expect(JSON.parse(stdout)).toEqual({ pool: [nicer, nicer, nicer, nicer], loop: [own] })
  },
)
