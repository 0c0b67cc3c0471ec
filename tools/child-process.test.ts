import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ChildProcess } from './child-process.ts'

const STAYS = 'setInterval(() => {}, 1000);'

test('it resolves with the exit status, also after a signal', async () => {
  expect(await start('process.exit(7)').child.ended).toBe(7)
  const { child } = start(STAYS)
  child.kill()
  expect(await child.ended).toBe(137)
})

test('a graceful stop resolves with its own exit status', async () => {
  const { child, hasSaid } = start(`${STAYS} process.once('SIGTERM', () => process.exit(3)); console.error('up')`)
  await hasSaid('up')
  expect(await child.stop()).toBe(3)
  expect(child.isRunning).toBe(false)
  expect(await child.stop()).toBe(3)
})

test('one that watches its channel stops without a signal', async () => {
  const { child, hasSaid } = start(
    `process.once('disconnect', () => process.exit(0)); process.on('SIGTERM', () => process.exit(9)); console.error('up')`,
  )
  await hasSaid('up')
  expect(await child.stop()).toBe(0)
})

test('all output goes to the log, and only warnings and errors to the terminal', async () => {
  const { child, said, log } = start(`
    console.log(JSON.stringify({ level: 30, msg: 'answered' }))
    console.log(JSON.stringify({ level: 40, msg: 'the mail server is slow' }))
    console.log(JSON.stringify({ level: 50, msg: 'broken', err: { stack: 'Error: broken at line 1' } }))
    console.log('plain words')
    console.error('a last cry')
  `)
  await child.ended
  await expect
    .poll(() => said.toSorted())
    .toEqual(['[site] a last cry', '[site] broken\nError: broken at line 1', '[site] the mail server is slow'])
  for (const text of ['answered', 'slow', 'broken', 'plain words', 'a last cry']) expect(log()).toContain(text)
})

function start(source: string) {
  const folder = mkdtempSync(join(tmpdir(), 'child-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'program.mjs')
  writeFileSync(program, source)
  const said: string[] = []
  const logFile = join(folder, 'logs', 'site.log')
  const child = new ChildProcess({
    name: 'site',
    program,
    environment: { PATH: process.env['PATH'] },
    logFile,
    say: (line) => void said.push(line),
  })
  onTestFinished(() => child.kill())
  return {
    child,
    said,
    log: () => readFileSync(logFile, 'utf8'),
    async hasSaid(text: string) {
      while (!said.some((line) => line.includes(text))) await sleep(10)
    },
  }
}
