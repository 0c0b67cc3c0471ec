import { describe, expect, test } from 'vitest'
import { checkHtml } from './html-rules.ts'

function page(body: string, head = '<title>A page</title>'): string {
  return `<!DOCTYPE html><html lang="en-US"><head>${head}</head><body><h1>A page</h1>${body}</body></html>`
}

const sound = [
  '<table><tr><td>The parser adds a tbody</td></tr></table>',
  '<ul><li>One<ol><li>Two</li></ol></li></ul>',
  '<dl><div><dt>Since</dt><dd>1987</dd></div></dl>',
  '<label for="a">Name</label><input id="a"><p id="b">Hint</p>',
  '<a href="/x"><img src="/x.svg" alt="The way"></a>',
  '<button aria-label="Close"><svg><path d="M0 0"/></svg></button>',
  '<details><summary>More</summary><p>Words</p></details>',
  '<noscript><p>This form needs JavaScript.</p></noscript>',
  '<button aria-expanded="false" aria-controls="later">Open</button>',
]

const broken: [body: string, finding: string][] = [
  ['<p><div>No</div></p>', 'no-implicit-close'],
  ['<p>No</p></p>', 'close-order'],
  ['<section><p>No</p>', 'close-order'],
  ['<b><i>No</b></i>', 'close-order'],
  ['<table><div>No</div></table>', 'element-permitted-content'],
  ['<p id="a">One</p><p id="a">Two</p>', 'no-dup-id: Duplicate ID "a"'],
  ['<p id="a b">No</p>', 'valid-id'],
  ['<p class="a" class="b">Two</p>', 'parse error duplicate-attribute'],
  ['<p title=a"b>No</p>', 'parse error unexpected-character'],
  ['<span><div>No</div></span>', 'element-permitted-content'],
  ['<ul><p>No</p></ul>', 'element-permitted-content'],
  ['<dl><p>No</p></dl>', 'element-permitted-content'],
  ['<li>No</li>', 'element-permitted-parent'],
  ['<dd>No</dd>', 'element-required-ancestor'],
  ['<a href="/x"><button>No</button></a>', 'element-permitted-content'],
  ['<form><form></form></form>', 'element-permitted-content'],
  ['<label><label>No</label></label>', 'element-permitted-content'],
  ['<font>No</font>', 'deprecated'],
  ['<details><p>No</p><summary>More</summary></details>', 'element-permitted-order'],
  ['<img src="/x.svg">', 'wcag/h37'],
  ['<img alt="">', 'element-required-attributes'],
  ['<iframe src="/x"></iframe>', 'missing required "title"'],
  ['<input name="a">', 'input-missing-label'],
  ['<select><option>No</option></select>', 'input-missing-label'],
  ['<label for="nothing">Name</label>', 'missing id "nothing"'],
  ['<p aria-describedby="nothing">Words</p>', 'missing id "nothing"'],
  ['<div role="group" aria-owns="nothing">Words</div>', 'missing id "nothing"'],
  ['<button aria-expanded="true" aria-controls="nothing">Open</button>', 'missing id "nothing"'],
  ['<label for="a">A</label><input id="a" list="nothing">', 'missing id "nothing"'],
  ['<h1>Another</h1>', 'Multiple <h1>'],
  ['<h3>Skipped</h3>', 'expected <h2> but got <h3>'],
  ['<h2></h2>', 'empty-heading'],
  ['<a href="/x"></a>', 'wcag/h30'],
  ['<button></button>', 'text-content'],
  ['<details><summary></summary>Words</details>', 'summary'],
  ['<noscript><style>a{}</style></noscript>', 'element-permitted-content'],
  ['<p tabindex="2">No</p>', 'positive tabindex'],
]

describe('the rules for HTML', () => {
  test.each(sound)('accept %s', (body) => {
    expect(checkHtml(page(body)).findings).toEqual([])
  })

  test.each(broken)('find the error in %s', (body, finding) => {
    expect(checkHtml(page(body)).findings.join('\n')).toContain(finding)
  })

  test('require a title, a heading and a language', () => {
    expect(checkHtml(page('', '')).findings).toContain('no title')
    expect(checkHtml(page('', '<title>A</title><title>B</title>')).findings.join()).toContain('permitted')
    expect(checkHtml('<!DOCTYPE html><title>A</title><p>A</p>').findings).toEqual(['no h1', 'no language'])
  })

  test('allow emails tables with attributes of old and no heading', () => {
    const html = page('<table align="center" bgcolor="#ffffff"><tr><td width="20">Hi</td></tr></table>').replace(
      '<h1>A page</h1>',
      '',
    )
    expect(checkHtml(html, { isEmail: true }).findings).toEqual([])
    expect(checkHtml(html).findings).not.toEqual([])
  })
})
