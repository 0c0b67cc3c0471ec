import { act, screen, waitFor } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { Link } from '#web/ui/link.tsx'
import { RouteChange } from './route-change.tsx'

beforeEach(() => {
  window.scrollTo = () => {}
})

let setStep: (step: Step) => void = () => {}
type Step = 'loading' | 'untitled' | 'loaded'

/** The frame with a page that loads after the navigation, and one other page. */
function Site() {
  const isHere = useLocation().pathname === '/elsewhere'
  return (
    <>
      <button type="button">Open menu</button>
      <main id="main" tabIndex={-1}>
        {isHere ? (
          <>
            <Link to="/account">Account</Link>
            <Link to="/account#seats">Seats</Link>
          </>
        ) : (
          <Loading />
        )}
      </main>
      <RouteChange />
    </>
  )
}

function Loading() {
  const [step, set] = useState<Step>('loading')
  useEffect(() => {
    setStep = set
  }, [])
  if (step === 'untitled') return <p>One moment...</p>
  if (step === 'loading')
    return (
      <>
        <h1>Account</h1>
        <section id="seats">
          <h2>Seats</h2>
        </section>
      </>
    )
  return (
    <section>
      <h1>Hello, Meera</h1>
    </section>
  )
}

const open = (at: string) => renderPage(Site, { at, route: { path: '/:place', answers: {} } }).person
const show = (step: Step) => act(async () => setStep(step))
const seeFocusOn = async (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name })))

test.each([
  { steps: ['loaded'], name: 'another heading' },
  { steps: ['untitled', 'loaded'], name: 'no heading, then another one' },
] as const)('the focus stays on the heading when the page that loads has $name', async ({ steps }) => {
  const person = open('/elsewhere')
  await person.click(screen.getByRole('link', { name: 'Account' }))
  await seeFocusOn('Account')
  for (const step of steps) await show(step)
  await seeFocusOn('Hello, Meera')
})

test('an address that names a section leads there', async () => {
  const scrolled = vi.fn()
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolled(this.id)
  }
  const person = open('/elsewhere')
  await person.click(screen.getByRole('link', { name: 'Seats' }))
  const heading = await screen.findByRole('heading', { level: 2, name: 'Seats' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  expect(new Set(scrolled.mock.calls.flat())).toEqual(new Set(['seats']))
})

test('where the person moved it, it stays', async () => {
  const person = open('/elsewhere')
  await person.click(screen.getByRole('link', { name: 'Account' }))
  await seeFocusOn('Account')
  const menu = screen.getByRole('button', { name: 'Open menu' })
  menu.focus()
  await show('loaded')
  await screen.findByRole('heading', { name: 'Hello, Meera' })
  expect(document.activeElement).toBe(menu)
})

test('the first page of a visit leaves the focus where it is', async () => {
  open('/account')
  await screen.findByRole('heading', { name: 'Account' })
  await show('loaded')
  await screen.findByRole('heading', { name: 'Hello, Meera' })
  expect(document.activeElement).toBe(document.body)
})
