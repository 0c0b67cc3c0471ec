import { cleanup, render } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { DocumentStyle } from './document-style.tsx'

const RULE = 'p > b { color: red }'

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})

/** The document as the server writes it. */
function serve(): HTMLElement {
  const container = document.createElement('div')
  container.innerHTML = renderToString(<DocumentStyle id="styles" css={RULE} />)
  document.body.append(container)
  return container
}

test('the style sheet that the server wrote into the document stays', () => {
  const container = serve()
  const style = container.querySelector('style')
  render(<DocumentStyle id="styles" css={undefined} />, { container, hydrate: true })
  expect(container.querySelector('style')).toBe(style)
  expect(style?.textContent).toBe(RULE)
})

test('a document that the browser renders again has the same text, which the security policy allows by its hash', () => {
  serve()
  const { container } = render(<DocumentStyle id="styles" css={undefined} />)
  expect(container.querySelector('style')?.textContent).toBe(RULE)
})
