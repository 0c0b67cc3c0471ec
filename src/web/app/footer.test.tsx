import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { NO_ASSOCIATION } from '#contract/public/association.ts'
import type { RootData } from '#server/pages/page-services.ts'
import { Footer, FooterContent } from './footer.tsx'

const contents = {
  association: {
    ...NO_ASSOCIATION,
    name: 'The Association',
    about: 'A society of engineers.',
  },
  footer: [{ path: '/news', label: 'News' }],
  today: '2026-11-21',
} as unknown as RootData

afterEach(cleanup)

/** Runs before the first import of the footer, as in a server-rendered page. */
const FooterStub = createRoutesStub([{ path: '*', Component: () => <FooterContent contents={contents} /> }])
document.body.innerHTML = `<footer>${renderToString(<FooterStub />)}</footer>`

test('the footer reuses the server’s HTML, and its links navigate on the client', async () => {
  const Stub = createRoutesStub([
    { path: '/', Component: () => <Footer contents={contents} /> },
    { path: '/news', Component: () => <p>The news</p> },
  ])
  render(<Stub initialEntries={['/']} />)
  document.querySelector('footer')?.remove()
  expect(screen.getByRole('contentinfo').textContent).toContain('The AssociationA society of engineers.')
  await userEvent.click(screen.getByRole('link', { name: 'News' }))
  await screen.findByText('The news')
})

test.each([
  ['/events', true],
  ['/news', true],
  ['/', false],
  ['/events/gala', false],
  ['/about', false],
])('the footer of %s is cream: %s', (path, isCream) => {
  const Stub = createRoutesStub([{ path: '*', Component: () => <Footer contents={contents} /> }])
  render(<Stub initialEntries={[path]} />)
  expect(screen.getByRole('contentinfo').classList.contains('cream')).toBe(isCream)
  screen.getByRole('link', { name: 'News' })
})
