import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createRoutesStub, useLocation } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { Link } from './link.tsx'

afterEach(cleanup)

function Page() {
  const { pathname } = useLocation()
  return (
    <>
      <p>{`At ${pathname}`}</p>
      <Link to="/faqs">FAQs</Link>
      <Link to="/documents/bylaws.pdf">Bylaws</Link>
      <Link to="/events/gala.ics?download#top">Calendar</Link>
      <Link to="/console/pictures/home/hero/lamp.jpg">Lamp</Link>
      <Link to="https://elsewhere.example/page">Elsewhere</Link>
    </>
  )
}

/** Whether the click was left to the browser; jsdom would not follow it. */
function isLeftToBrowser(name: string): boolean {
  let left = false
  function hear(event: Event) {
    left = !event.defaultPrevented
    event.preventDefault()
  }
  window.addEventListener('click', hear)
  fireEvent.click(screen.getByRole('link', { name }))
  window.removeEventListener('click', hear)
  return left
}

test.each([
  ['a page is shown without a reload', 'FAQs', '/faqs'],
  ['so is the console’s page of a picture', 'Lamp', '/console/pictures/home/hero/lamp.jpg'],
  ['a document is left to the browser', 'Bylaws', null],
  ['so is one with a query', 'Calendar', null],
  ['so is another site', 'Elsewhere', null],
])('%s', async (_, name, shown) => {
  const Stub = createRoutesStub([{ path: '*', Component: Page }])
  render(<Stub initialEntries={['/about']} />)
  await screen.findByText('At /about')
  expect(isLeftToBrowser(name)).toBe(shown === null)
  await screen.findByText(`At ${shown ?? '/about'}`)
})
