import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, vi } from 'vitest'
import type { Campaign } from '#contract/campaigns.ts'
import { useFakeApi } from '#web/api/fake-api.ts'
import { sampleCampaign } from '#web/features/newsletter/sample-campaign.ts'
import NewsletterPage from './newsletter.tsx'
import { renderPage } from './render-page.tsx'

export const CALL = 'GET /api/newsletter/campaigns'

export const clinic = sampleCampaign('clinic', '2026-11-18T14:00:00.000Z')
export const diwali = sampleCampaign('diwali', '2026-11-06T22:00:00.000Z', { canEmbed: false })
export const kites = sampleCampaign('kites', '2026-01-06T14:00:00.000Z', { absoluteViewUrl: null })
export const lamps = sampleCampaign('lamps', '2025-10-17T21:00:00.000Z')
export const first = sampleCampaign('first', '2025-09-03T13:00:00.000Z')

/** The end of the list, as the browser watches it. */
export class FakeObserver {
  static latest: FakeObserver | null = null
  readonly tell: (entries: { isIntersecting: boolean }[]) => void
  readonly margin: string | undefined
  isWatching = false
  constructor(tell: FakeObserver['tell'], { rootMargin }: IntersectionObserverInit = {}) {
    this.tell = tell
    this.margin = rootMargin
    FakeObserver.latest = this
  }
  observe() {
    this.isWatching = true
  }
  disconnect() {
    this.isWatching = false
  }
}

/** For each test of a file: a fresh network, and an end of the list that can be told to be near. */
export function useArchivePage() {
  const api = useFakeApi()
  beforeEach(() => {
    vi.stubGlobal('IntersectionObserver', FakeObserver)
  })

  /** Rendered, and asked for anew: the list that was answered is there. */
  async function openArchive(...fresh: Parameters<typeof answer>) {
    api.current.on(CALL, answer(...fresh))
    const view = renderArchive()
    await waitFor(() => expect(screen.getByText(/^\d newsletters?$/).textContent).not.toBe(''))
    return view
  }

  return { api, openArchive }
}

/** What a server might answer, whatever it holds. */
export function campaignPage(campaigns: readonly (Campaign | object)[], hasMore = false) {
  return { success: true, data: { campaigns, total: 40, page: 1, limit: 10, hasMore } }
}
export const answer = (...given: Parameters<typeof campaignPage>) => ({ body: campaignPage(...given) })

const known = {
  firstPage: campaignPage([clinic, diwali, kites], true).data,
  years: [2026, 2025],
  archiveAfter: '2025-08-27',
}

export function renderArchive(loaderData: unknown = known) {
  return renderPage(NewsletterPage, { at: '/newsletter', loaderData })
}

export const card = (name: string) => screen.getByRole('article', { name })
