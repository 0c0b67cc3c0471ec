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

const broken: [body: string, finding: RegExp][] = [
  ['<p><div>No</div></p>', /nested otherwise than written/],
  ['<p>No</p></p>', /where/],
  ['<section><p>No</p>', /<\/body> where <\/section> should be/],
  ['<table><div>No</div></table>', /nested otherwise/],
  ['<p id="a">One</p><p id="a">Two</p>', /id twice: a/],
  ['<p class="a" class="b">Two</p>', /parse error duplicate-attribute/],
  ['<span><div>No</div></span>', /in span/],
  ['<ul><p>No</p></ul>', /child of ul/],
  ['<dl><p>No</p></dl>', /child of dl/],
  ['<a href="/x"><button>No</button></a>', /in a/],
  ['<img src="/x.svg">', /img without alt/],
  ['<iframe src="/x"></iframe>', /iframe without title/],
  ['<input name="a">', /field without label/],
  ['<label for="nothing">Name</label>', /for of nothing/],
  ['<p aria-describedby="nothing">Words</p>', /aria-describedby of nothing/],
  ['<h1>Another</h1>', /2 h1/],
  ['<h3>Skipped</h3>', /heading skips from 1 to 3/],
  ['<a href="/x"></a>', /nothing to read in/],
  ['<noscript><style>a{}</style></noscript>', /style in the body/],
  ['<p tabindex="2">No</p>', /positive tabindex/],
]

describe('the rules for HTML', () => {
  test.each(sound)('accept %s', (body) => {
    expect(checkHtml(page(body)).findings).toEqual([])
  })

  test.each(broken)('find the error in %s', (body, finding) => {
    expect(checkHtml(page(body)).findings.join('\n')).toMatch(finding)
  })

  test('require a title and a language', () => {
    expect(checkHtml(page('', '')).findings).toContain('no title')
    expect(checkHtml('<!DOCTYPE html><title>A</title><h1>A</h1>').findings).toContain('no language')
  })
})
