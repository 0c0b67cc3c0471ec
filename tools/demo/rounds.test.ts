import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Backend } from './gateway.ts'
import { createRounds, renewEachHour } from './rounds.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'demo-rounds-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** Copies that only write a file each. */
function newRounds() {
  const story: string[] = []
  const used: (Backend | null)[] = []
  const ends: (() => void)[] = []
  const state = { fails: false, folder: '' }
  const rounds = createRounds({
    directory,
    gateway: { use: (backend) => void used.push(backend) },
    say: (sentence) => void story.push(sentence),
    async start(folder, turn) {
      if (state.fails) throw new Error('no memory')
      story.push(`start ${turn} with ${readdirSync(folder).length} files`)
      writeFileSync(join(folder, 'demo'), '')
      writeFileSync(join(folder, 'association.db'), 'as on the first day')
      state.folder = folder
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      return {
        backend: { site: turn, standins: turn },
        ended: promise,
        async stop() {
          story.push(`stop ${turn}, while ${used.at(-1)?.site} serves`)
          resolve()
        },
      }
    },
  })
  return { rounds, story, used, ends, state }
}

test('a fresh copy takes over before the one with the visitors’ changes is stopped and deleted', async () => {
  const { rounds, story, state } = newRounds()
  expect(await rounds.renew()).toBe(true)
  const before = state.folder
  writeFileSync(join(before, 'association.db'), 'what visitors wrote')
  writeFileSync(join(before, 'upload.png'), 'a picture')
  expect(await rounds.renew()).toBe(true)
  expect(story).toEqual(['start 0 with 0 files', 'start 1 with 0 files', 'stop 0, while 1 serves'])
  expect([existsSync(before), readdirSync(state.folder).toSorted()]).toEqual([false, ['association.db', 'demo']])
  expect(await rounds.renew()).toBe(true)
  expect(story.slice(3)).toEqual(['start 0 with 0 files', 'stop 1, while 0 serves'])
})

test('a copy that does not start leaves the running one alone', async () => {
  const { rounds, story, used, state } = newRounds()
  await rounds.renew()
  state.fails = true
  expect(await rounds.renew()).toBe(false)
  expect([story.at(-1), used]).toEqual(['The demo could not start afresh: no memory', [{ site: 0, standins: 0 }]])
  expect(existsSync(state.folder)).toBe(true)
})

test('a folder that no demo made is not deleted', async () => {
  mkdirSync(join(directory, 'round-0'))
  writeFileSync(join(directory, 'round-0', 'association.db'), 'a real site')
  await expect(newRounds().rounds.renew()).rejects.toThrow(/was not made by a demo: choose another DATA_DIR/)
  expect(existsSync(join(directory, 'round-0', 'association.db'))).toBe(true)
})

test('it starts afresh when the hour is full, when it ended, and when it stores too much', async () => {
  const { rounds, story, ends, state } = newRounds()
  await rounds.renew()
  const stop = new AbortController()
  const starts = () => story.filter((line) => line.startsWith('start')).length
  let nextAt = Date.now() + 30
  const running = renewEachHour(rounds, {
    nextAt: () => nextAt,
    mostBytes: 1_000,
    signal: stop.signal,
    everyMs: 10,
  })
  const until = async (count: number) => {
    while (starts() < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  nextAt = Date.now() + 3_600_000
  await until(2)
  ends.at(-1)?.()
  await until(3)
  writeFileSync(join(state.folder, 'upload'), 'x'.repeat(1_001))
  await until(4)
  stop.abort()
  await running
  await rounds.stop()
  expect(story.at(-1)).toMatch(/^stop/)
})
