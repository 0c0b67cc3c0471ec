import { beforeAll, describe, expect, test } from 'vitest'
import { createCampaign } from '#tests/support/newsletter.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { saveCampaign } from './campaign.commands.ts'

const app = useTestApp()
const CUT_OFF = Date.parse('2025-08-28T04:00:00Z')
const COUNT = 23

function campaign(over: Parameters<typeof createCampaign>[0]) {
  return createCampaign({
    id: 'letter',
    picture: '/art/clinic.svg',
    createdAt: CUT_OFF,
    updatedAt: CUT_OFF,
    sentAt: CUT_OFF,
    ...over,
  })
}

const MONTH_MS = 30 * 86_400_000

beforeAll(async () => {
  const { db } = app().database
  for (let index = 0; index < COUNT; index++) {
    await saveCampaign(
      db,
      campaign({ id: `campaign-${index}`, name: `Campaign ${index}`, sentAt: CUT_OFF + (index * MONTH_MS) / 2 }),
    )
  }
  await saveCampaign(db, campaign({ id: 'too-early', sentAt: CUT_OFF - 1 }))
  await saveCampaign(db, campaign({ id: 'a-draft', sentAt: null }))
  await saveCampaign(
    db,
    campaign({
      id: 'diwali',
      name: 'Fête of lights',
      subject: 'Diwali at the Capitol',
      sentAt: CUT_OFF + 1,
      body: 'We light **marigold** lamps. See [the events](/events).\n\n![A lamp](https://example.com/lamp.png)',
    }),
  )
  await saveCampaign(db, campaign({ id: 'unseen', hasView: false, sentAt: CUT_OFF + 2 }))
  await saveCampaign(db, campaign({ id: 'frameless', canEmbed: false, sentAt: CUT_OFF + 3, picture: null }))
  await showInArchive()
})

/** Refreshes the content cache, as sending a campaign does. */
async function showInArchive(): Promise<void> {
  await incrementContentVersion(app().database.db)
  await app().app.refreshContent()
}

async function archive(query = '') {
  const answer = await app().browser().call('GET', `/api/newsletter/campaigns${query}`)
  expect(answer.status, query).toBe(200)
  return answer.body.data as {
    campaigns: { id: string }[]
    total: number
    page: number
    limit: number
    hasMore: boolean
  }
}

const idsOf = ({ campaigns }: { campaigns: { id: string }[] }) => campaigns.map(({ id }) => id)

describe('the archive', () => {
  test('lists ten per page, the newest first, without drafts or campaigns before the cutoff', async () => {
    const first = await archive('?enriched=true&page=1&limit=10')
    expect(first).toMatchObject({ total: COUNT + 3, page: 1, limit: 10, hasMore: true })
    expect(idsOf(first)[0]).toBe(`campaign-${COUNT - 1}`)
    const last = await archive('?page=3')
    expect(last.hasMore).toBe(false)
    expect(idsOf(last)).toHaveLength(6)
    const pages = await Promise.all([1, 2, 3].map((page) => archive(`?page=${page}&limit=10`)))
    const everything = pages.flatMap(idsOf)
    expect(new Set(everything).size).toBe(COUNT + 3)
    expect(everything).not.toContain('a-draft')
    expect(everything).not.toContain('too-early')
  })

  test('can be sorted by the oldest first', async () => {
    expect(idsOf(await archive('?sort=oldest')).slice(0, 3)).toEqual(['campaign-0', 'diwali', 'unseen'])
  })

  test('filters by year in the association’s time zone', async () => {
    const inYear = await archive('?year=2025&limit=50')
    const others = await archive('?year=2026&limit=50')
    expect(inYear.total + others.total).toBe(COUNT + 3)
    expect(await archive('?year=2024')).toMatchObject({ total: 0, hasMore: false, campaigns: [] })
  })

  test.each([
    ['a word of the title', 'fete', ['diwali']],
    ['with the accent', 'Fête', ['diwali']],
    ['a word of the subject', 'CAPITOL', ['diwali']],
    ['a word of the text', 'marigold', ['diwali']],
    ['prefixes of words, in any order', 'lamp mari', ['diwali']],
    ['a word that only ends so', 'gold', []],
    ['words one of which is missing', 'marigold tulip', []],
    ['nothing but marks', '"*) -:&|!', []],
    ['what a query language would read', 'marigold OR (tulip', []],
  ])('search by %s', async (_, text, found) => {
    expect(idsOf(await archive(`?q=${encodeURIComponent(text)}`))).toEqual(found)
  })

  test('a blank search returns everything', async () => {
    expect((await archive('?q=%20')).total).toBe(COUNT + 3)
  })

  test('each entry has the documented fields', async () => {
    const { campaigns } = await archive('?q=marigold')
    expect(campaigns).toEqual([
      {
        id: 'diwali',
        name: 'Fête of lights',
        subject: 'Diwali at the Capitol',
        sentAt: '2025-08-28T04:00:00.001Z',
        createdAt: '2025-08-28T04:00:00.000Z',
        updatedAt: '2025-08-28T04:00:00.000Z',
        canEmbed: true,
        absoluteViewUrl: 'http://localhost:3000/newsletter/view/diwali',
        previewImageUrl: 'http://localhost:3000/art/clinic.svg',
        previewSnippet: 'What is new.',
      },
    ])
    const { campaigns: oldest } = await archive('?sort=oldest')
    expect(oldest[2]).toMatchObject({ id: 'unseen', absoluteViewUrl: null })
    expect(oldest[3]).toMatchObject({ id: 'frameless', canEmbed: false, previewImageUrl: null })
  })

  test.each(['?page=0', '?page=x', '?page=1.5', '?limit=51', '?year=soon', '?sort=best', `?q=${'a'.repeat(101)}`])(
    '%s is rejected with a message',
    async (query) => {
      const answer = await app().browser().call('GET', `/api/newsletter/campaigns${query}`)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ code: 'INVALID_INPUT' })
    },
  )

  test('shows a new campaign as soon as the content cache refreshes', async () => {
    await saveCampaign(app().database.db, campaign({ id: 'brand-new', sentAt: Date.parse('2030-01-01T00:00:00Z') }))
    await showInArchive()
    expect(idsOf(await archive('?year=2029'))).toEqual(['brand-new'])
  })
})

describe('the public view', () => {
  const open = (name: string) => fetch(`${app().url}/newsletter/view/${name}`)

  test('has its own policy: no scripts, and only this site may frame it', async () => {
    const answer = await open('diwali')
    expect(answer.status).toBe(200)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'none'")
    expect(policy).toContain('sandbox')
    expect(policy).toContain("frame-ancestors 'self'")
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    const page = await answer.text()
    expect(page).toContain('<strong>marigold</strong>')
    expect(page).toContain('href="http://localhost:3000/events"')
    expect(page).toContain('src="https://example.com/lamp.png"')
    expect(page).not.toContain('leave.invalid')
  })

  test('returns 404 for a name with a NUL byte', async () => {
    for (const name of ['diwali%00', 'diwali%00.txt']) expect((await open(name)).status).toBe(404)
  })

  test('forbids framing for a campaign that must not be embedded', async () => {
    const answer = await open('frameless')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
  })

  test('has a text version', async () => {
    const answer = await open('diwali.txt')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toContain('We light marigold lamps. See the events (http://localhost:3000/events).')
  })

  test.each(['unseen', 'a-draft', 'unknown', 'unseen.txt'])('%s returns 404', async (name) => {
    expect((await open(name)).status).toBe(404)
  })
})
