import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { card, clinic, diwali, kites, useArchivePage } from '#tests/support/web/archive-test-helpers.tsx'
import { advanceTime, fakeClock, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'

const { api, openArchive } = useArchivePage()
afterEach(() => void vi.useRealTimers())
const CLINIC_ADDRESS = 'https://association.example/newsletter/view/clinic'

describe('reading', () => {
  const overlay = () => screen.findByRole('dialog')
  const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  async function read(name: string) {
    const view = await openArchive([clinic, diwali, kites])
    await view.person.click(within(card(name)).getByRole('button', { name: 'Read' }))
    return { ...view, dialog: await overlay() }
  }

  test('opens the newsletter in a sandboxed frame above the page', async () => {
    const { dialog } = await read('About clinic')
    within(dialog).getByRole('heading', { name: 'About clinic' })
    within(dialog).getByText('Loading newsletter...')
    const frame = within(dialog).getByTitle('About clinic')
    expect(frame.getAttribute('src')).toBe('/newsletter/view/clinic')
    expect(frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox')
    fireEvent.load(frame)
    expect(within(dialog).queryByText('Loading newsletter...')).toBeNull()
  })

  test.each<[string, (person: Awaited<ReturnType<typeof read>>['person']) => Promise<void>]>([
    ['Escape', (person) => person.keyboard('{Escape}')],
    ['the backdrop', (person) => person.click(document.querySelector('.dialog-scroll') ?? document.body)],
    ['the close button', (person) => person.click(screen.getByRole('button', { name: 'Close' }))],
  ])('%s closes it', async (_, close) => {
    const { person } = await read('About clinic')
    await close(person)
    await gone()
  })

  test('the title opens it too, except with a modifier key', async () => {
    const { person } = await openArchive([clinic])
    const link = screen.getByRole('link', { name: 'About clinic' })
    const leaves = vi.fn<(event: Event) => void>((event) => event.preventDefault())
    document.addEventListener('click', leaves, { once: true })
    await person.keyboard('{Control>}')
    await person.click(link)
    await person.keyboard('{/Control}')
    expect(leaves).toHaveBeenCalledTimes(1)
    expect(screen.queryByRole('dialog')).toBeNull()
    await person.click(link)
    await overlay()
  })

  test('a newsletter that cannot be framed is offered in a new tab and as text', async () => {
    const { dialog } = await read('About diwali')
    expect(dialog.querySelector('iframe')).toBeNull()
    const link = (name: string) => within(dialog).getByRole('link', { name })
    expect(link('Open in a new tab').getAttribute('href')).toBe('/newsletter/view/diwali')
    expect(link('Open in a new tab').getAttribute('target')).toBe('_blank')
    expect(link('Text version').getAttribute('href')).toBe('/newsletter/view/diwali.txt')
  })

  test('a newsletter without a URL is unavailable', async () => {
    await openArchive([clinic, kites])
    const shown = within(card('About kites'))
    shown.getByText('Unavailable')
    expect(shown.queryByRole('button')).toBeNull()
    expect(shown.queryByRole('link')).toBeNull()
  })
})

describe('copying the link', () => {
  test('copies the full URL and confirms it for two seconds', async () => {
    fakeClock()
    const { person } = await openArchive([clinic])
    await person.click(screen.getByRole('button', { name: 'Copy link' }))
    const button = await screen.findByRole('button', { name: 'Copied!' })
    expect(await navigator.clipboard.readText()).toBe(CLINIC_ADDRESS)
    await advanceTime(1_900)
    expect(button.textContent).toBe('Copied!')
    await advanceTime(200)
    expect(button.textContent).toBe('Copy link')
  })

  test('shows the URL for copying by hand if the browser refuses', async () => {
    const { person } = await openArchive([clinic])
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('Denied', 'NotAllowedError'))
    await person.click(screen.getByRole('button', { name: 'Copy link' }))
    const field = await screen.findByLabelText<HTMLInputElement>(/Copy the link from here/)
    expect(field.value).toBe(CLINIC_ADDRESS)
    expect(document.activeElement).toBe(field)
    expect(screen.queryByRole('button', { name: 'Copied!' })).toBeNull()
  })
})

test('readers can subscribe below the archive', async () => {
  stubBotCheck()
  const { person } = await openArchive([clinic])
  api.current.on('POST /api/newsletter/subscribe', { body: { success: true, message: 'Check your email to confirm!' } })
  await person.type(screen.getByLabelText('Email'), 'leela@example.com')
  await person.click(screen.getByRole('button', { name: /^Subscribe/ }))
  await screen.findByText('Check your email to confirm!')
  expect(api.current.requestsTo('POST /api/newsletter/subscribe')[0]?.body).toMatchObject({ source: 'newsletter-page' })
})
