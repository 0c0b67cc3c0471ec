import { beforeEach, describe, expect, test } from 'vitest'
import type { Officer } from '#server/http/serve.ts'
import { createHeldWork } from '../console/held-work.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { mailingsOf, makeCampaign, setReaders } from '#tests/support/newsletter.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { findCampaign, saveCampaign } from './campaign.repository.ts'
import { wordsOfMarkdown } from './campaign-words.ts'
import { createComposingService } from './composing.service.ts'
import { changeDraft, findDraft, removeSchedule } from './draft.repository.ts'
import { createSendingService } from './sending.service.ts'

const db = useTestDatabase()
let now = NOW
const clock = { now: () => now, close() {} }
const [ana, ben] = [officer('ana'), officer('ben')]
const IN_TWO_HOURS = '2030-06-15T10:00'

beforeEach(async () => {
  now = NOW
  await setReaders(db(), 2)
})

function officer(name: string): Officer {
  return { accountId: name, name, email: `${name}@example.org`, roles: ['editor'], permissions: [] }
}

const bensWords = {
  name: 'Summer',
  subject: 'News of summer',
  snippet: 'What is new.',
  blocks: [{ kind: 'text' as const, markdown: 'Words that Ana never saw.' }],
}

/** The desk of one officer; what is given happens in the middle of what they do. */
function desk({
  whilePrinting,
  onceLookedAt,
  asItStarts,
}: Partial<Record<'whilePrinting' | 'onceLookedAt' | 'asItStarts', () => Promise<unknown>>> = {}) {
  const mailings = mailingsOf(db(), clock.now)
  const composing = createComposingService({
    db: db(),
    clock,
    secrets: createSecrets('a secret for tests, and for tests only, of fair length'),
    siteUrl: 'http://localhost:3000',
    association: () => Promise.reject(new Error('No letter is printed here.')),
    mailings,
    async print(blocks) {
      await whilePrinting?.()
      return wordsOfMarkdown(blocks.map((block) => ('markdown' in block ? block.markdown : '')).join('\n\n'))
    },
    choices: () => ({ events: [], news: [] }),
    wakeOutbox() {},
  })
  const sending = createSendingService({
    db: db(),
    clock,
    timeZone: 'America/New_York',
    composing: {
      ...composing,
      async requireOpen(id, version) {
        await composing.requireOpen(id, version)
        await onceLookedAt?.()
      },
    },
    mailings: {
      ...mailings,
      async start(...given) {
        await asItStarts?.()
        return mailings.start(...given)
      },
    },
    heldWork: { ...createHeldWork({ db: db(), clock, timeZone: 'America/New_York' }), mayStill: async () => true },
  })
  return { composing, sending, mailings }
}

const begin = async () => (await desk().composing.begin(ana, 'Spring')).id

describe('readers get what the sender saw', () => {
  test.each([
    ['an officer sends it', (id: string) => desk().sending.send(ana, id, { version: 1, at: null })],
    ['an officer schedules it', (id: string) => desk().sending.send(ana, id, { version: 1, at: IN_TWO_HOURS })],
    ['the command line sends it', (id: string) => desk().mailings.start(id)],
  ])('while a colleague’s words are made ready, %s: those words are refused', async (_, send) => {
    const id = await begin()
    const before = await findCampaign(db(), id)
    const late = desk({ whilePrinting: () => send(id) }).composing.save(ben, id, { ...bensWords, version: 1 })
    await expect(late).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect(await findCampaign(db(), id)).toEqual({ ...before, sentAt: expect.toSatisfy(() => true) as number })
  })

  test.each([
    ['now', null],
    ['later', IN_TWO_HOURS],
  ])('what a colleague saved after the sender’s look does not go out %s', async (_, at) => {
    const id = await begin()
    const save = () => desk().composing.save(ben, id, { ...bensWords, version: 1 })
    const sent = desk({ onceLookedAt: save }).sending.send(ana, id, { version: 1, at })
    await expect(sent).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect(await desk().composing.read(id)).toMatchObject({ state: 'draft', version: 2, mailing: null })
  })

  test('one that was given as a file has no draft, and is sent all the same', async () => {
    await saveCampaign(db(), makeCampaign({ id: 'november' }))
    const sent = await desk().sending.send(ana, 'november', { version: 0, at: null })
    expect(sent).toMatchObject({ state: 'sending', mailing: { recipients: 2 } })
  })
})

describe('one that is due', () => {
  async function schedule(): Promise<string> {
    const id = await begin()
    await desk().sending.send(ana, id, { version: 1, at: IN_TWO_HOURS })
    now += 2 * HOUR_MS
    return id
  }

  test('is not sent when it was taken back that very moment, and can be written in', async () => {
    const id = await schedule()
    await desk({ asItStarts: () => removeSchedule(db(), id) }).sending.job.run()
    expect(await desk().composing.read(id)).toMatchObject({ state: 'draft', version: 2, refused: null, mailing: null })
    expect(await desk().composing.save(ben, id, { ...bensWords, version: 2 })).toMatchObject({ version: 3 })
  })

  test('is sent although the one before it fails for a reason that nobody foresaw, which is told', async () => {
    const [broken, whole] = [await begin(), await begin()]
    for (const id of [broken, whole]) await desk().sending.send(ana, id, { version: 1, at: IN_TWO_HOURS })
    now += 2 * HOUR_MS
    let turn = 0
    const asItStarts = async () => {
      if (turn++ === 0) throw new TypeError('a fault of ours')
    }
    await expect(desk({ asItStarts }).sending.job.run()).rejects.toThrow('a fault of ours')
    const states = await Promise.all([broken, whole].map(async (id) => (await desk().composing.read(id)).state))
    expect(states.sort()).toEqual(['scheduled', 'sending'])
    await desk().sending.job.run()
    expect((await desk().composing.read(broken)).state).toBe('sending')
  })

  test('is begun by one of two processes, and nobody changes it from then on', async () => {
    const id = await schedule()
    const draft = await findDraft(db(), id)
    await desk({ asItStarts: () => desk().sending.job.run() }).sending.job.run()
    expect(await desk().composing.read(id)).toMatchObject({ state: 'sending', refused: null })
    // As a picture that is replaced everywhere would.
    expect(draft && (await changeDraft(db(), draft, 'ben', now))).toBe(false)
  })
})
