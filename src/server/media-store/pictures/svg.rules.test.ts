import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { svgError } from './svg.rules.ts'

const svg = (inside: string, attributes = '') => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`
const PIXEL = 'data:image/png;base64,iVBORw0KGgo='

describe('an SVG image is rejected', () => {
  test.each([
    ['for not being one', '<html><body>no</body></html>'],
    ['for being empty', ''],
    ['with a script', svg('<script>alert(1)</script>')],
    ['with a script in capitals', svg('<SCRIPT>alert(1)</SCRIPT>')],
    ['with a script under a prefix', svg('<svg:script>alert(1)</svg:script>')],
    ['with a script from another site', svg('<script href="https://evil.example/x.js"/>')],
    ['with an event handler', svg('<path onclick="alert(1)"/>')],
    ['with a handler on its root', svg('', 'onload="alert(1)"')],
    ['with a handler after a slash', svg('<path/onmouseover=alert(1)//>')],
    ['with a handler across lines', svg('<path\nonfocus\n=\n"alert(1)"/>')],
    ['with a handler against the attribute before', svg('<path d=""onload="alert(1)"/>')],
    ['with a web page inside', svg('<foreignObject><iframe src="#"/></foreignObject>')],
    ['with an iframe', svg('<iframe srcdoc="x"/>')],
    ['with a picture from another site', svg('<image href="https://evil.example/x.png"/>')],
    ['with a picture from a neighbour', svg('<image xlink:href="../x.png"/>')],
    ['with an external use', svg('<use href="//evil.example/x.svg#a"/>')],
    ['with a link', svg('<a href="https://evil.example"><path/></a>')],
    ['with a link that runs', svg('<a href="javascript:alert(1)"><path/></a>')],
    ['with a link without quotes', svg('<a href=javascript:alert(1)><path/></a>')],
    ['with a link hidden by a character reference', svg('<a href="&#106;avascript:alert(1)"><path/></a>')],
    ['with an embedded SVG', svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>')],
    ['with an embedded page', svg('<image href="data:text/html,x"/>')],
    ['with an animation of a link', svg('<a><animate attributeName="href" to="javascript:alert(1)"/></a>')],
    ['with an animation of a prefixed link', svg('<set attributeName="xlink:href" to="x"/>')],
    ['with a style from another site', svg('<style>@import "https://evil.example/x.css";</style>')],
    ['with a paint from another site', svg('<path fill="url(https://evil.example/x.svg#a)"/>')],
    ['with a quoted external paint', svg(`<path style="fill:url('//evil.example/x.svg#a')"/>`)],
    ['with a style hidden by character references', svg('<style>&#64;&#x69;mport "x.css";</style>')],
    ['with a paint hidden by escapes', svg('<path style="fill:u\\72l(https://evil.example)"/>')],
    ['with a handler hidden in an animation', svg('<set attributeName="o&#110;click" to="x"/>')],
    ['with a style sheet', `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`],
    ['with entities', `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('&x;')}`],
  ])('%s', (_, text) => {
    expect(svgError(text)).toMatch(/^This (image|is) .+\.$/)
  })
})

describe('an SVG image is accepted', () => {
  test.each([
    ['with shapes', svg('<title>Online once and again</title><path d="M0 0"/>')],
    ['with styles of its own', svg('<style>.a{fill:#fff;clip-path:url(#b)}</style><g class="a"/>')],
    ['with uses of its own parts', svg('<defs><g id="a"/></defs><use href="#a"/><use xlink:href="#a"/>')],
    ['with a picture inside', svg(`<image href="${PIXEL}"/>`)],
    ['with a document type', `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">${svg('')}`],
  ])('%s', (_, text) => {
    expect(svgError(text)).toBeNull()
  })

  const art = join(import.meta.dirname, '../../../../public/art')
  test.each(readdirSync(art).filter((name) => name.endsWith('.svg')))('if it is %s of the site', (name) => {
    expect(svgError(readFileSync(join(art, name), 'utf8'))).toBeNull()
  })
})

const PARTS = [
  '<',
  ' on',
  ' ona ',
  'url(',
  'url("',
  "url('x",
  'href= ',
  '<b href="',
  '\n',
  '<!DOCTYPE ',
  '<!ENTIT',
  'attributeName=',

  'attributeName= ',
  '&#',
  '&#x41;',
  '<svg:',
  'a:',
  '\\',
]

test('a large image is checked quickly, whatever it repeats', () => {
  for (const part of PARTS) {
    const startedAt = performance.now()
    svgError(svg(part.repeat(Math.ceil(300_000 / part.length))))
    svgError(svg(part + ' '.repeat(300_000)))
    expect(performance.now() - startedAt, part).toBeLessThan(1_000)
  }
})
