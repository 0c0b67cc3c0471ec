import { partialContext } from '#tests/support/partial-context.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Officer } from '#server/http/serve.ts'
import { createHeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { mailingsFor, createCampaign, setSubscribers } from '#tests/support/newsletter.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { findCampaign } from '../campaign.queries.ts'
import { saveCampaign } from '../campaign.commands.ts'
import { contentFromMarkdown } from '../composing/campaign-text.service.ts'
import { createCampaignEditor } from '../composing/campaign-editor.service.ts'
import { createComposingService } from '../composing/composing.service.ts'
import { updateDraft, findDraft, deleteSchedule } from '../composing/draft.repository.ts'
import { createSendingService } from './sending.service.ts'

const db = useTestDatabase()
let now = NOW
const clock = { now: () => now, close() {} }
const [ana, ben] = [officer('ana'), officer('ben')]
const IN_TWO_HOURS = '2030-06-15T10:00'

beforeEach(async () => {
  now = NOW
  await setSubscribers(db(), 2)
})

function officer(name: string): Officer {
  return { accountId: name, name, email: `${name}@example.org`, roles: ['editor'], permissions: [] }
}

const bensEdit = {
  name: 'Summer',
  subject: 'News of summer',
  snippet: 'What is new.',
  blocks: [{ kind: 'text' as const, markdown: 'Text that Ana never saw.' }],
}

/** The services with hooks that run at a given point, to provoke races. */
function services({
  whileRendering,
  afterCheck,
  beforeStart,
}: Partial<Record<'whileRendering' | 'afterCheck' | 'beforeStart', () => Promise<unknown>>> = {}) {
  const mailings = mailingsFor(db(), clock.now)
  const ctx = partialContext({
    db: db(),
    clock,
    timeZone: 'America/New_York',
    secrets: createSecrets('a secret for tests, and for tests only, of fair length'),
    siteUrl: 'http://localhost:3000',
    association: () => Promise.reject(new Error('No email is rendered here.')),
    cache: { content: () => ({ events: new Map(), news: new Map() }), today: () => '2026-06-01' } as never,
    wakeOutbox() {},
  })
  const editor = createCampaignEditor(ctx, {
    recipients: 'subscribers',
    mailings,
    previews: { render: () => Promise.reject(new Error('No email is rendered here.')), findHtml: async () => null },
    async renderBlocks(blocks) {
      await whileRendering?.()
      return contentFromMarkdown(blocks.map((block) => ('markdown' in block ? block.markdown : '')).join('\n\n'))
    },
  })
  const composing = createComposingService(ctx, { editor })
  const sending = createSendingService(ctx, {
    recipients: 'subscribers',
    permissionFor: async () => 'newsletter.send',
    editor: {
      ...editor,
      async requireEditable(id, version) {
        const campaign = await editor.requireEditable(id, version)
        await afterCheck?.()
        return campaign
      },
    },
    mailings: {
      ...mailings,
      async start(...args) {
        await beforeStart?.()
        return mailings.start(...args)
      },
    },
    heldWork: {
      ...createHeldWork(ctx),
      isStillAllowed: async () => true,
    },
  })
  return { composing, sending, mailings }
}

const begin = async () => (await services().composing.create(ana, 'Spring')).id

describe('subscribers get what the sender saw', () => {
  test.each([
    ['an officer sends it', (id: string) => services().sending.send(ana, id, { version: 1, at: null })],
    ['an officer schedules it', (id: string) => services().sending.send(ana, id, { version: 1, at: IN_TWO_HOURS })],
    ['the command line sends it', (id: string) => services().mailings.start(id)],
  ])('a save is rejected if meanwhile %s', async (_, send) => {
    const id = await begin()
    const before = await findCampaign(db(), id)
    const late = services({ whileRendering: () => send(id) }).composing.save(ben, id, { ...bensEdit, version: 1 })
    await expect(late).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect(await findCampaign(db(), id)).toEqual({ ...before, sentAt: expect.toSatisfy(() => true) as number })
  })

  test.each([
    ['now', null],
    ['later', IN_TWO_HOURS],
  ])('sending %s is rejected if a colleague saved after the sender’s check', async (_, at) => {
    const id = await begin()
    const save = () => services().composing.save(ben, id, { ...bensEdit, version: 1 })
    const sent = services({ afterCheck: save }).sending.send(ana, id, { version: 1, at })
    await expect(sent).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect(await services().composing.read(id)).toMatchObject({ state: 'draft', version: 2, mailing: null })
  })

  test('a campaign imported from a file has no draft and can be sent', async () => {
    await saveCampaign(db(), createCampaign({ id: 'november' }))
    await services().sending.send(ana, 'november', { version: 0, at: null })
    expect(await services().composing.read('november')).toMatchObject({ state: 'sending', mailing: { recipients: 2 } })
  })
})

describe('a due newsletter', () => {
  async function schedule(): Promise<string> {
    const id = await begin()
    await services().sending.send(ana, id, { version: 1, at: IN_TWO_HOURS })
    now += 2 * HOUR_MS
    return id
  }

  test('is not sent if it was unscheduled at that moment, and can be edited', async () => {
    const id = await schedule()
    await services({ beforeStart: () => deleteSchedule(db(), id) }).sending.job.run()
    expect(await services().composing.read(id)).toMatchObject({
      state: 'draft',
      version: 2,
      refused: null,
      mailing: null,
    })
    expect(await services().composing.save(ben, id, { ...bensEdit, version: 2 })).toMatchObject({ version: 3 })
  })

  test('is sent although the one before it throws unexpectedly; the error is reported', async () => {
    const [broken, whole] = [await begin(), await begin()]
    for (const id of [broken, whole]) await services().sending.send(ana, id, { version: 1, at: IN_TWO_HOURS })
    now += 2 * HOUR_MS
    let turn = 0
    const beforeStart = async () => {
      if (turn++ === 0) throw new TypeError('a fault of ours')
    }
    await expect(services({ beforeStart }).sending.job.run()).rejects.toThrow('a fault of ours')
    const states = await Promise.all([broken, whole].map(async (id) => (await services().composing.read(id)).state))
    expect(states.sort()).toEqual(['scheduled', 'sending'])
    await services().sending.job.run()
    expect((await services().composing.read(broken)).state).toBe('sending')
  })

  test('is started by only one of two processes, and its draft is fixed from then on', async () => {
    const id = await schedule()
    const draft = await findDraft(db(), id)
    await services({ beforeStart: () => services().sending.job.run() }).sending.job.run()
    expect(await services().composing.read(id)).toMatchObject({ state: 'sending', refused: null })
    // As "Replace everywhere" for an image would do.
    expect(draft && (await updateDraft(db(), draft, 'ben', now))).toBe(false)
  })
})
