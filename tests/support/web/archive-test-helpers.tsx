import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, vi } from 'vitest'
import type { Campaign } from '#contract/public/campaigns.ts'
import { useFakeApi } from './fake-api.ts'
import { sampleCampaign } from './sample-campaign.ts'
import NewsletterPage from '#web/public/newsletter/newsletter.tsx'
import { renderPage } from './page-test-helpers.tsx'

export const CAMPAIGNS_CALL = 'GET /api/newsletter/campaigns'

export const clinic = sampleCampaign('clinic', '2026-11-18T14:00:00.000Z')
export const diwali = sampleCampaign('diwali', '2026-11-06T22:00:00.000Z', { canEmbed: false })
export const kites = sampleCampaign('kites', '2026-01-06T14:00:00.000Z', { absoluteViewUrl: null })
export const lamps = sampleCampaign('lamps', '2025-10-17T21:00:00.000Z')
export const first = sampleCampaign('first', '2025-09-03T13:00:00.000Z')

/** A fake IntersectionObserver for the end of the list. */
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

/** Gives each test of a file a fresh fake network and a fake end of the list. */
export function useArchivePage() {
  const api = useFakeApi()
  beforeEach(() => {
    vi.stubGlobal('IntersectionObserver', FakeObserver)
  })

  /** Renders the archive and waits until the fresh response is shown. */
  async function openArchive(...fresh: Parameters<typeof campaignResponse>) {
    api.current.on(CAMPAIGNS_CALL, campaignResponse(...fresh))
    const view = renderArchive()
    await waitFor(() => expect(screen.getByText(/^\d newsletters?$/).textContent).not.toBe(''))
    return view
  }

  return { api, openArchive }
}

/** A response body of the archive, with any contents. */
export function campaignPage(campaigns: readonly (Campaign | object)[], hasMore = false) {
  return { success: true, data: { campaigns, total: 40, page: 1, limit: 10, hasMore } }
}
export const campaignResponse = (...given: Parameters<typeof campaignPage>) => ({ body: campaignPage(...given) })

const known = {
  firstPage: campaignPage([clinic, diwali, kites], true).data,
  years: [2026, 2025],
  archiveAfter: '2025-08-27',
}

export function renderArchive(loaderData: unknown = known) {
  return renderPage(NewsletterPage, { at: '/newsletter', loaderData })
}

export const card = (name: string) => screen.getByRole('article', { name })
