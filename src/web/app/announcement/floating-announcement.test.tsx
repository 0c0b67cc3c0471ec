import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRoutesStub } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { Link } from '#web/ui/link.tsx'
import { FloatingAnnouncement } from './floating-announcement.tsx'

afterEach(cleanup)

const announcement = {
  title: 'A notice',
  text: 'Look in the spam folder.',
  linkLabel: 'Reset',
  linkPath: '/reset-password',
}

function show(at: string, count = 1) {
  const Stub = createRoutesStub([
    {
      path: '*',
      Component: () => (
        <>
          <Link to="/news">News</Link>
          <FloatingAnnouncement announcement={announcement} count={count} />
        </>
      ),
    },
  ])
  render(<Stub initialEntries={[at]} />)
  return userEvent.setup()
}

const bell = () => screen.queryByRole('button', { name: /^Notices/ })

test.each([
  '/become-a-member',
  '/email-verification',
  '/stripe/success',
  '/rsvp',
  '/auth/login',
  '/newsletter/subscribe',
])('nothing floats over %s, where people join, pay or log in', (path) => {
  show(path)
  expect(bell()).toBeNull()
})

test('once opened it remains on that page, and is gone from the next one on', async () => {
  const person = show('/')
  await person.click(bell() as HTMLElement)
  await screen.findByRole('dialog', { name: 'A notice' })
  await person.keyboard('{Escape}')
  expect(bell()).not.toBeNull()
  await person.click(screen.getByRole('link', { name: 'News' }))
  expect(bell()).toBeNull()
})

test('it steps aside while the visitor scrolls down, and returns on the way up', () => {
  show('/')
  const scrollTo = (y: number) => {
    Object.defineProperty(window, 'scrollY', { value: y, configurable: true })
    fireEvent.scroll(window)
  }
  scrollTo(400)
  expect(bell()?.hasAttribute('data-aside')).toBe(true)
  scrollTo(300)
  expect(bell()?.hasAttribute('data-aside')).toBe(false)
  scrollTo(0)
})

test('more than nine are 9+', () => {
  show('/', 12)
  expect(bell()?.textContent).toBe('9+')
})
