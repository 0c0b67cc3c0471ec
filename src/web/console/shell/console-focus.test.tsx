import { screen, waitFor } from '@testing-library/react'
import { useLocation } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { RouteChange } from '#web/app/route-change.tsx'
import { Link } from '#web/ui/link.tsx'
import ConsolePageFrame from '../console.tsx'
import { GET_OFFICER, officerWith, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'

const api = useConsoleApi()

beforeEach(() => {
  window.scrollTo = () => {}
  api.current.on('GET /api/console/today', { body: { tasks: [] } }).on('GET /api/console/officers', {
    body: { terms: [], mayChange: true, year: { startsOn: '2026-07-01', endsOn: '2027-06-30' } },
  })
})

function open(at: string) {
  return renderPage(Site, { at, route: { path: '/:place/*', answers: {} } }).person
}

/** The frame with the console and one other page. */
function Site() {
  const isConsole = useLocation().pathname.startsWith('/console')
  return (
    <>
      {isConsole ? (
        <ConsolePageFrame />
      ) : (
        <main id="main" tabIndex={-1}>
          <Link to="/console/officers">Console</Link>
        </main>
      )}
      <RouteChange />
    </>
  )
}

/** The navigation has each page first; a phone's bar repeats some. */
const link = async (name: string) => (await screen.findAllByRole('link', { name }))[0] as HTMLElement
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const seeFocusOn = async (name: string) => {
  const wanted = await heading(name)
  await waitFor(() => expect(document.activeElement).toBe(wanted))
}

test('each page has its own title, which is announced, and the focus starts on its heading', async () => {
  const person = open('/console/today-is-elsewhere')
  await person.click(await link('Home'))
  await seeFocusOn('Home')
  expect(document.title).toBe('Home | Officers’ console | Georgia Physicians of Indian Origin')
  await person.click(await link('Officers & roles'))
  await seeFocusOn('Officers & roles')
  const title = 'Officers & roles | Officers’ console | Georgia Physicians of Indian Origin'
  expect(document.title).toBe(title)
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(title)
})

test('the first page of a visit leaves the focus where it is', async () => {
  open('/console/officers')
  await heading('Officers & roles')
  await screen.findByRole('button', { name: 'Assign role' })
  expect(document.activeElement).toBe(document.body)
})

test('a page the officer has already left does not take the focus', async () => {
  const person = open('/console')
  const left = await link('Officers & roles')
  await person.click(left)
  // The navigation moves the focus first, sooner or later.
  await waitFor(() => expect(document.activeElement).not.toBe(left))
  const gone = await link('Home')
  gone.focus()
  await heading('Officers & roles')
  expect(document.activeElement).toBe(gone)
})

test('coming from another page also focuses the heading', async () => {
  const person = open('/elsewhere/on-the-site')
  await person.click(await link('Console'))
  await seeFocusOn('Officers & roles')
})

test('so does passing the second factor', async () => {
  api.current
    .on(
      GET_OFFICER,
      { body: officerWith(['viewer'], { isEnrolled: true, provedUntil: null }) },
      { body: officerWith(['viewer']) },
    )
    .on('POST /api/console/second-factor/prove', {
      body: { secondFactor: { isEnrolled: true, ways: ['app'], provedUntil: '2040-01-01' }, recoveryCodesLeft: 10 },
    })
  const person = open('/console/officers')
  await person.type(await screen.findByLabelText('Authenticator code'), '123456')
  await person.click(screen.getByRole('button', { name: 'Open the console' }))
  await seeFocusOn('Officers & roles')
})

test('the navigation shows the open page without scrolling the document', async () => {
  const scrolled = vi.fn()
  Element.prototype.scrollIntoView = scrolled
  open('/console/officers')
  await heading('Officers & roles')
  expect(scrolled).not.toHaveBeenCalled()
})
