import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { pasteAsMarkdown } from './paste-markdown.ts'
import { hasFormatting, htmlToMarkdown } from './html-to-markdown.ts'

/** As Word for Windows puts it on the clipboard. */
function fromWord(body: string): string {
  return `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15"><link rel=File-List href="file:///C:/Temp/msohtmlclip1/01/clip_filelist.xml">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- /* Style Definitions */ p.MsoNormal {margin:0in; font-family:"Calibri",sans-serif;} --></style></head>
<body lang=EN-US style='tab-interval:.5in'><!--StartFragment-->
${body}
<!--EndFragment--></body></html>`
}

const bullet = (level: number, text: string, sign = '·') =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${level * 0.5}in;text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`
const numbered = (number: number, text: string) =>
  `<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>${number}.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span>${text}</p>`

describe('from Word', () => {
  test.each([
    [
      'paragraphs, with quotes and dashes as typed',
      `<p class=MsoNormal><span style='font-size:12.0pt;font-family:"Times New Roman",serif;color:#1F3864'>Dr. Rao’s “gala” – at last…<o:p></o:p></span></p>\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n<p class=MsoNormal>Bring\na shawl.</p>`,
      'Dr. Rao’s “gala” – at last…\n\nBring a shawl.',
    ],
    [
      'headings, whose bold is theirs already',
      `<p class=MsoTitle>Annual report</p><h1 style='margin-top:12pt'><b><span style='font-size:16pt'>Our year</span></b><o:p></o:p></h1><h3>Clinic</h3><p class=MsoNormal>Open.</p>`,
      '## Annual report\n\n## Our year\n\n### Clinic\n\nOpen.',
    ],
    [
      'bold and italic, together and side by side',
      `<p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Come <i>early</i></b>, it is <i style='mso-bidi-font-style:normal'>free </i>for <b>all</b><b> members</b>.</p>`,
      '**Come *early***, it is *free* for **all members**.',
    ],
    [
      'fonts without any meaning',
      `<p class=MsoNormal><font color="#FF0000" face="Arial" size=4>Red</font> <u>lines</u> <span lang=FR>café</span></p>`,
      'Red lines café',
    ],
    [
      'links, but not its bookmarks',
      `<p class=MsoNormal><a name="_Hlk1234"></a><a href="https://example.org/a_(b)"><span style='color:#0563C1'>Register</span></a> or <a href="mailto:office@example.org">write</a>; see <a href="#_Toc12">above</a> and <a href="file:///C:/plan.docx">the plan</a>.</p>`,
      '[Register](https://example.org/a_%28b%29) or [write](mailto:office@example.org); see above and the plan.',
    ],
    [
      'lists that are paragraphs',
      `<p class=MsoNormal>We offer:</p>${bullet(1, '<b>Lectures</b>')}\n${bullet(2, 'with credit', 'o')}\n${bullet(1, 'Dinners')}<p class=MsoNormal>And more.</p>`,
      'We offer:\n\n- **Lectures**\n   - with credit\n- Dinners\n\nAnd more.',
    ],
    ['numbered lists', `${numbered(1, 'Apply')}${numbered(2, 'Pay')}`, '1. Apply\n2. Pay'],
    [
      'lists without their styles, by their marks',
      `<p class=MsoListParagraph>·&nbsp;&nbsp; One</p><p class=MsoListParagraph>2) Two</p>`,
      '- One\n2. Two',
    ],
    [
      'tables',
      `<table class=MsoTableGrid border=1 style='border-collapse:collapse;mso-yfti-tbllook:1184'><tr><td width=200><p class=MsoNormal><b>Day</b></p></td><td><p class=MsoNormal>Talk</p></td></tr><tr><td><p class=MsoNormal>May 4</p></td><td><p class=MsoNormal>Hearts |</p><p class=MsoNormal>Q&amp;A<o:p></o:p></p></td></tr></table>`,
      '| **Day** | Talk |\n| --- | --- |\n| May 4 | Hearts \\| Q&A |',
    ],
    [
      'a table that only places words',
      `<table><tr><td><p class=MsoNormal>In a frame</p></td></tr></table>`,
      'In a frame',
    ],
    [
      'line breaks, and words that only Word sees',
      `<p class=MsoNormal>One<br>Two<span style='mso-hide:all;display:none'>secret</span></p>`,
      'One\nTwo',
    ],
    [
      'signs that would mean something',
      `<p class=MsoNormal>2 * 3 [sic] a_b _c &lt;b&gt;</p><p class=MsoNormal># 1 of us</p><p class=MsoNormal>1. May was cold</p>`,
      '2 \\* 3 \\[sic\\] a_b \\_c \\<b>\n\n\\# 1 of us\n\n1\\. May was cold',
    ],
    [
      'scripts never',
      `<p class=MsoNormal onclick="alert(1)">Hi<script>alert(1)</script><img src=x onerror=alert(1)></p>`,
      'Hi',
    ],
    ['nothing', '<p class=MsoNormal><o:p>&nbsp;</o:p></p>', ''],
  ])('%s', (_, body, markdown) => {
    expect(htmlToMarkdown(fromWord(body))).toBe(markdown)
  })
})

test.each([
  [
    'Google Docs',
    `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700;font-style:normal">Bold</span><span style="font-weight:400"> and </span><span style="font-style:italic">slanted</span></p><ul><li dir="ltr"><p role="presentation"><span>One</span></p></li><ul><li><p>Two</p></li></ul></ul></b>`,
    '**Bold** and *slanted*\n\n- One\n   - Two',
  ],
  [
    'a page',
    `<div><h2>Title</h2><div>One <strong>two</strong></div><div>Three</div><blockquote><p>Said</p></blockquote><ol start="3"><li>a<ul><li>b</li></ul></li><li>c</li></ol><hr></div>`,
    '## Title\n\nOne **two**\n\nThree\n\n> Said\n\n3. a\n   - b\n4. c\n\n---',
  ],
  [
    'an email, with paragraphs by line breaks',
    '<div>Dear all,<br><br><b>Come<br>early</b><b><br></b>please</div>',
    'Dear all,\n\n**Come**\n**early**\nplease',
  ],
  [
    'blocks in list items',
    '<ul>\n<li><p>One</p><p>more</p></li>\n<li></li><li><h3>1. May</h3>x</li><li>- y</li></ul>',
    '- One more\n- 1. May x\n- \\- y',
  ],
  [
    'a part of a line',
    '<!--StartFragment--><span>just <em>a few</em> words</span><!--EndFragment-->',
    'just *a few* words',
  ],
])('%s', (_, html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown)
})

test.each([
  ['Plain words.', 'Plain   words.\r\n', false],
  ['One\n\nTwo', 'One\r\nTwo', false],
  ['**Plain** words.', 'Plain words.', true],
])('whether %j has more than %j', (markdown, text, expected) => {
  expect(hasFormatting(markdown, text)).toBe(expected)
})

function Text() {
  const [text, setText] = useState('Before after')
  return (
    <textarea
      aria-label="Words"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onPaste={pasteAsMarkdown}
    />
  )
}

test('inserts at the cursor and can be undone; the browser pastes plain text itself', () => {
  render(<Text />)
  const field = screen.getByLabelText<HTMLTextAreaElement>('Words')
  const paste = (html: string, plain: string) => {
    const given: Record<string, string> = { 'text/html': html, 'text/plain': plain }
    return fireEvent.paste(field, { clipboardData: { getData: (type: string) => given[type] ?? '' } })
  }
  field.setSelectionRange(7, 7)
  expect(paste('<p><b>and</b> </p>', 'and')).toBe(false)
  expect(field.value).toBe('Before **and**after')
  expect(paste('<p>and</p>', 'and')).toBe(true)
  expect(paste('', 'and')).toBe(true)
  const insert = vi.fn(() => true)
  Object.assign(document, { execCommand: insert })
  expect(paste('<h2>News</h2>', 'News')).toBe(false)
  expect(insert).toHaveBeenCalledWith('insertText', false, '## News')
  Reflect.deleteProperty(document, 'execCommand')
})
