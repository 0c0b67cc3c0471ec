import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { GET_OFFICER, officerWith } from '#tests/support/web/console-test-helpers.tsx'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { openScan } from './open-scan.ts'
import ScannedCardPage from './scanned-card.tsx'

vi.mock('./open-scan.ts', { spy: true })

const api = useFakeApi()
const open = () => renderPage(ScannedCardPage, { at: '/card#abc' })

describe('the page that the code of a card leads to', () => {
  test('tells a visitor nothing about the code, and sends it nowhere', async () => {
    open()
    await screen.findByRole('heading', { name: 'Code of a membership card' })
    screen.getByText('This code is for membership cards of Georgia Physicians of Indian Origin.')
    expect(document.body.textContent).not.toContain('abc')
    expect([api.current.sent, vi.mocked(openScan).mock.calls]).toEqual([[], []])
  })

  test('leads no member anywhere', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(GET_OFFICER, errorResponse(403, 'NOT_AN_OFFICER', 'For officers.'))
    open()
    await waitFor(() => expect(api.current.requestsTo(GET_OFFICER)).toHaveLength(1))
    expect(window.location.pathname).toBe('/card')
    expect(JSON.stringify(api.current.sent)).not.toContain('abc')
    expect(localStorage.getItem('token')).not.toBeNull()
  })

  test('leads no officer anywhere who does not run events', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(GET_OFFICER, { body: officerWith(['treasurer']) })
    await openScan('#abc')
    expect(window.location.pathname).not.toContain('/console')
  })
})
