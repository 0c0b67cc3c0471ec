import { expect, test } from 'vitest'
import { escapeHtml, html, Html } from './html.ts'

test('every value is escaped', () => {
  const name = `<b>"Ana" & 'Rao'</b>`
  const escaped = '&lt;b&gt;&quot;Ana&quot; &amp; &#39;Rao&#39;&lt;/b&gt;'
  expect(String(html`<p title="${name}">${name}</p>`)).toBe(`<p title="${escaped}">${escaped}</p>`)
})

test('markup is inserted unescaped, also in a list', () => {
  const items = ['a', '<i>'].map((item) => html`<li>${item}</li>`)
  expect(String(html`${items}`)).toBe('<li>a</li><li>&lt;i&gt;</li>')
  expect(String(html`${new Html('<hr>')}${7}`)).toBe('<hr>7')
})

test('escaping twice never produces markup', () => {
  expect(escapeHtml(escapeHtml('<script>'))).toBe('&amp;lt;script&amp;gt;')
})
