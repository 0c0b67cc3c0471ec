import { expect, test } from 'vitest'
import { upgradeSite, type Server } from './upgrade-site.ts'

/** A server that records what is done to it; the row T73 upgrades real ones. */
function fakeServer(overrides: Partial<Server> = {}) {
  const done: string[] = []
  let current = 'old'
  const record =
    (step: string) =>
    async (release = ''): Promise<void> =>
      void done.push(`${step} ${release}`.trim())
  const server: Server = {
    stop: record('stop'),
    kill: record('kill'),
    start: record('start'),
    isReady: async () => current === 'old',
    async switchTo(release) {
      current = release
      done.push(`switch ${release}`)
    },
    backUp: record('back up'),
    accepts: async () => true,
    restore: record('restore'),
    notify: async (sentences) => void done.push(`notify: ${sentences.join(' ')}`),
    ...overrides,
  }
  return { server, done }
}

const upgrade = { from: 'old', to: 'new', readyWithinMs: 20 }
const silent = () => {}

test('a ready release stays, and no one is emailed', async () => {
  const { server, done } = fakeServer({ isReady: async () => true })
  expect(await upgradeSite(server, upgrade, silent)).toBe(true)
  expect(done).toEqual(['stop', 'back up old', 'switch new', 'start'])
})

test('a release that is not ready in time is replaced by the previous one, with one email', async () => {
  const { server, done } = fakeServer()
  expect(await upgradeSite(server, upgrade, silent)).toBe(false)
  expect(done.slice(0, 7)).toEqual(['stop', 'back up old', 'switch new', 'start', 'kill', 'switch old', 'start'])
  expect(done.slice(7)).toEqual([expect.stringContaining('The database was not changed')])
})

test('a migrated database is restored by the previous release before that starts', async () => {
  const { server, done } = fakeServer({ accepts: async () => false })
  expect(await upgradeSite(server, upgrade, silent)).toBe(false)
  expect(done.slice(4, 8)).toEqual(['kill', 'switch old', 'restore old', 'start'])
})

test('without a backup nothing is changed, and the site runs again', async () => {
  const full = async () => {
    throw new Error('The disk is full.')
  }
  const { server, done } = fakeServer({ backUp: full })
  const said: string[] = []
  expect(await upgradeSite(server, upgrade, (line) => void said.push(line))).toBe(false)
  expect(done).toEqual(['stop', 'start'])
  expect(said.at(-1)).toContain('The disk is full.')
})

test('a restore that fails is reported with what to do, also when the email fails', async () => {
  const broken = async () => {
    throw new Error('refused')
  }
  const { server } = fakeServer({ accepts: async () => false, restore: broken, notify: broken })
  const said: string[] = []
  expect(await upgradeSite(server, upgrade, (line) => void said.push(line))).toBe(false)
  expect(said).toContain('The previous release could not be started: refused')
  expect(said).toContain('The backup is complete. UPGRADING.md, "When it fails", lists the commands that restore it.')
  expect(said.at(-1)).toBe('The email to the officers failed: refused')
})
