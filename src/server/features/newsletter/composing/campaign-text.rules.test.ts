import { describe, expect, test } from 'vitest'
import { contentFromHtml, contentFromMarkdown } from './campaign-text.service.ts'

const SAFE = '<p align="center" style="color:#333333">Hi</p>'

describe('sanitizing imported HTML', () => {
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
    ['a safe design', SAFE, SAFE],
  ])('%s', (_, source, safe) => {
    expect(contentFromHtml(source).html).toBe(safe)
  })
})

test('the text version includes the URLs of links', () => {
  expect(contentFromMarkdown('## Clinic\n\nOpen **today**: [the days](/clinic).\n\n- one\n- two').text).toBe(
    'Clinic\n\nOpen today: the days (/clinic).\n\n * one\n * two',
  )
})
