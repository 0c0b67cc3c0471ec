import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRoutesStub } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { USUAL_MENU } from '#contract/menu.ts'
import type { Association } from '#contract/public/association.ts'
import type { Viewer } from '#web/session/viewer.ts'
import { Header } from './header.tsx'

beforeEach(() => vi.stubGlobal('matchMedia', () => ({ addEventListener() {} })))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const visitor: Viewer = { status: 'anonymous', isMemberView: false, signOut() {} }

const contents = {
  association: { name: 'The Association' } as Association,
  menu: [...USUAL_MENU],
}

function show(at: string, viewer = visitor) {
  const Stub = createRoutesStub([
    {
      path: '*',
      Component: () => (
        <>
          <Header contents={contents} viewer={viewer} />
          <button type="button">The page</button>
        </>
      ),
    },
  ])
  render(<Stub initialEntries={[at]} />)
  return userEvent.setup()
}

const bar = () => within(screen.getByRole('navigation', { name: 'Main' }))
const menu = () => within(screen.getByRole('navigation', { name: 'Main, small screens' }))

test.each([
  ['/events', 'Events'],
  ['/events/gala', 'Events'],
  ['/news', 'Events'],
  ['/faqs', 'About'],
  ['/scholarships-awards/', 'About'],
])('on %s the group %s is marked, and no other', (path, group) => {
  show(path)
  const marked = bar().getAllByRole('button', { current: true })
  expect(marked.map(({ textContent }) => textContent)).toEqual([group])
  expect(bar().queryAllByRole('link', { current: 'page' })).toEqual([])
})

test('on a page of the bar no group is marked', () => {
  show('/clinic')
  expect(bar().queryAllByRole('button', { current: true })).toEqual([])
  expect(bar().getByRole('link', { current: 'page' }).textContent).toBe('Clinic')
})

test('the phone menu begins with log-in and joining, and opens at the group of the current page', async () => {
  const person = show('/faqs')
  await person.click(screen.getByRole('button', { name: 'Open menu' }))
  const links = menu().getAllByRole('link')
  expect(links.slice(0, 3).map(({ textContent }) => textContent)).toEqual(['Log in', 'Become a Member', 'Home'])
  const groups = menu().getAllByRole('group')
  expect(groups.map((group) => (group as HTMLDetailsElement).open)).toEqual([false, true])
  expect(menu().getByRole('link', { current: 'page' }).textContent).toBe('FAQs')
})

test('a member finds the account and the way out first', async () => {
  const signOut = vi.fn()
  const person = show('/', { ...visitor, status: 'member', username: 'meera.r', signOut })
  await person.click(screen.getByRole('button', { name: 'Open menu' }))
  expect(menu().getAllByRole('link')[0]?.textContent).toBe('Account')
  await person.click(menu().getByRole('button', { name: 'Sign out' }))
  expect(signOut).toHaveBeenCalledOnce()
})

test('the phone menu closes with Escape, and when the focus moves to the page behind it', async () => {
  const person = show('/')
  const isOpen = () => screen.queryByRole('button', { name: 'Close menu' }) !== null
  await person.click(screen.getByRole('button', { name: 'Open menu' }))
  await person.keyboard('{Escape}')
  expect(isOpen()).toBe(false)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open menu' }))
  await person.click(screen.getByRole('button', { name: 'Open menu' }))
  await person.tab()
  expect(isOpen()).toBe(true)
  act(() => screen.getByRole('button', { name: 'The page' }).focus())
  expect(isOpen()).toBe(false)
})
