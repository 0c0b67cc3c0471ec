import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './markdown.rules.ts'

describe('keeps what officers need', () => {
  test.each([
    ['## Dues', '<h2>Dues</h2>'],
    ['**bold** and *kind*', '<strong>bold</strong> and <em>kind</em>'],
    ['- one\n- two', '<ul>\n<li>one</li>\n<li>two</li>\n</ul>'],
    ['[terms](/terms-conditions)', '<a href="/terms-conditions">terms</a>'],
    ['[write](mailto:office@example.org)', '<a href="mailto:office@example.org">write</a>'],
    ['[site](https://example.org/a?b=1)', '<a href="https://example.org/a?b=1">site</a>'],
    ['![crest](https://example.org/crest.png)', '<img src="https://example.org/crest.png" alt="crest" />'],
    ['| a | b |\n|---|--:|\n| 1 | 2 |', '<td align="right">2</td>'],
    ['1 < 2 & 3', '1 &lt; 2 &amp; 3'],
    ['> said', '<blockquote>'],
  ])('%s', (markdown, html) => {
    expect(renderMarkdown(markdown)).toContain(html)
  })
})

describe('removes everything that could run', () => {
  test.each([
    '<script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror=alert(1)>',
    '<img src="javascript:alert(1)">',
    '<svg onload=alert(1)><circle/></svg>',
    '<svg><script>alert(1)</script></svg>',
    '<math><mtext><script>alert(1)</script></mtext></math>',
    '<iframe src="https://evil.example"></iframe>',
    '<object data="evil.swf"></object><embed src="evil">',
    '<form action="https://evil.example"><input name=password><button>Log in</button></form>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](<java\tscript:alert(1)>)',
    '[x](data:text/html,x)',
    '<javascript:alert(1)>',
    '![x](javascript:alert(1))',
    '<a href="https://example.org" onclick="alert(1)">x</a>',
    '<p style="position:fixed;inset:0;background:url(//evil.example)">x</p>',
    '<style>*{background:url(https://evil.example)}</style>',
    '<link rel=stylesheet href=https://evil.example>',
    '<meta http-equiv=refresh content="0;url=https://evil.example">',
    '<base href="https://evil.example/">',
    '<p id="x" class="y" onmouseover="alert(1)">x</p>',
    '[x](javascript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '![x](javascript:alert(1))',
    '[x]: javascript:alert(1)\n\n[x]',
    '<javascript:alert(1)>',
    '`<script>alert(1)</script>`',
    '<details open ontoggle=alert(1)>x</details>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<!--<img src="--><img src=x onerror=alert(1)//">',
    '<textarea><img src=x onerror=alert(1)></textarea>',
    '<template><script>alert(1)</script></template>',
  ])('%s', (hostile) => {
    const html = renderMarkdown(hostile)
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)((?:\s[^<>]*)?)>/gi)]
    for (const [, name = '', attributes = ''] of tags) {
      expect(['p', 'a', 'img', 'code', 'em', 'strong', 'li', 'ul', 'ol', 'br', 'hr', 'blockquote']).toContain(name)
      expect(attributes).not.toMatch(/\son\w+\s*=|style=|id=|class=|javascript:|data:|vbscript:/i)
    }
    expect(html).not.toMatch(/<(script|style|iframe|svg|math|form|input|object|embed|link|meta|base|template)/i)
  })

  test('a URL without a scheme never leads off the site', () => {
    expect(renderMarkdown('[x](//evil.example/a)')).not.toContain('evil.example/a"')
    expect(renderMarkdown('<img src="//evil.example/a.png">')).not.toContain('evil.example')
  })

  test('images are loaded over https only', () => {
    expect(renderMarkdown('![x](http://example.org/a.png)')).not.toContain('http://example.org')
  })
})
