import { describe, expect, test } from 'vitest'
import { wordsOfHtml, wordsOfMarkdown } from './campaign-words.ts'

const HARMLESS = '<p align="center" style="color:#333333">Hi</p>'

describe('a campaign of somebody’s own HTML', () => {
  test.each([
    ['a script', '<p>Hi<script>alert(1)</script></p>', '<p>Hi</p>'],
    ['a handler', '<p onclick="alert(1)">Hi</p>', '<p>Hi</p>'],
    ['a script address', '<a href="javascript:alert(1)">Hi</a>', '<a>Hi</a>'],
    ['a style that loads', '<p style="background:url(https://x.example/i.png)">Hi</p>', '<p>Hi</p>'],
    ['a style that covers', '<p style="position:fixed;top:0">Hi</p>', '<p>Hi</p>'],
    ['a style sheet', '<style>p{color:red}</style><p>Hi</p>', '<p>Hi</p>'],
    ['a frame', '<iframe src="https://x.example"></iframe><p>Hi</p>', '<p>Hi</p>'],
    ['a form', '<form action="https://x.example"><input name="a">Hi</form>', 'Hi'],
    ['a picture by http', '<img src="http://x.example/i.png">', '<img />'],
    ['a drawing', '<svg onload="alert(1)"></svg><p>Hi</p>', '<p>Hi</p>'],
    ['harmless design', HARMLESS, HARMLESS],
  ])('%s', (_, given, safe) => {
    expect(wordsOfHtml(given).html).toBe(safe)
  })
})

test('its text is that of its words, with the addresses of links', () => {
  expect(wordsOfMarkdown('## Clinic\n\nOpen **today**: [the days](/clinic).\n\n- one\n- two').text).toBe(
    'Clinic\n\nOpen today: the days (/clinic).\n\n * one\n * two',
  )
})
