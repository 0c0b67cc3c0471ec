import { render } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { Styles } from './styles.tsx'

const RULE = 'p { color: red }'
const files = () => document.querySelectorAll('link[rel=stylesheet]')

afterEach(() => {
  for (const link of files()) link.remove()
})

test('the style sheet that the server wrote into the document stays, and no file is loaded', () => {
  const container = document.createElement('div')
  document.body.append(container)
  container.innerHTML = renderToString(<Styles />)
  const style = container.querySelector('style') ?? document.createElement('style')
  style.textContent = RULE
  render(<Styles />, { container, hydrate: true })
  expect(container.querySelector('style')).toBe(style)
  expect([style.textContent, files().length]).toEqual([RULE, 0])
})

test('a document that the browser had to render again loads the file', () => {
  render(<Styles />)
  expect(files()).toHaveLength(1)
})
