import { readFileSync } from 'node:fs'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'

afterEach(cleanup)

test('a table in officers’ text scrolls on its own', () => {
  render(
    <>
      <style>{readFileSync('src/web/styles/layout.css', 'utf8')}</style>
      <div
        className="prose"
        dangerouslySetInnerHTML={{ __html: '<table><thead><tr><th>Hall</th></tr></thead></table>' }}
      />
    </>,
  )
  expect(getComputedStyle(screen.getByRole('table'))).toMatchObject({ display: 'block', overflowX: 'auto' })
})
