import { describe, expect, test } from 'vitest'
import { parseBounceEmail } from './bounce-report.service.ts'

function report(kind: string, parts: [type: string, text: string][]): Uint8Array {
  const lines = [
    'From: mailer-daemon@mx.example.com',
    'Subject: Returned mail',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${kind}; boundary="b"`,
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'It did not work.',
    ...parts.flatMap(([type, text]) => ['--b', `Content-Type: ${type}`, '', text]),
    '--b--',
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}

const status = (code: string, action = 'failed') =>
  [
    'Reporting-MTA: dns; mx.example.com',
    '',
    'Final-Recipient: rfc822; gone@example.com',
    `Action: ${action}`,
    `Status: ${code}`,
    'Diagnostic-Code: smtp; 550 no such user',
  ].join('\r\n')

const ORIGINAL = 'Message-ID: <november.s1@example.org>\r\nSubject: News\r\n'

describe('an email at the bounce address', () => {
  test.each([
    ['5.1.1', 'hard'],
    ['5.7.1', 'hard'],
    ['5.2.2', 'soft'],
    ['4.2.2', 'soft'],
  ])('status %s is %s', async (code, kind) => {
    const raw = report('delivery-status', [
      ['message/delivery-status', status(code)],
      ['message/rfc822', `${ORIGINAL}\r\nHello.`],
    ])
    expect(await parseBounceEmail(raw)).toEqual([
      { deliveryId: 'november.s1', email: 'gone@example.com', kind, reason: `${code} smtp; 550 no such user` },
    ])
  })

  test('headers alone identify the delivery', async () => {
    const raw = report('delivery-status', [
      ['message/delivery-status', status('5.1.1')],
      ['text/rfc822-headers', ORIGINAL],
    ])
    expect(await parseBounceEmail(raw)).toMatchObject([{ deliveryId: 'november.s1' }])
  })

  test('a delay is not a bounce', async () => {
    const raw = report('delivery-status', [['message/delivery-status', status('4.4.7', 'delayed')]])
    expect(await parseBounceEmail(raw)).toEqual([])
  })

  test('a complaint contains the recipient', async () => {
    const raw = report('feedback-report', [
      [
        'message/feedback-report',
        'Feedback-Type: abuse\r\nUser-Agent: x/1\r\nVersion: 1\r\nOriginal-Rcpt-To: <cross@example.com>',
      ],
      ['message/rfc822', `${ORIGINAL}\r\nHello.`],
    ])
    expect(await parseBounceEmail(raw)).toMatchObject([{ email: 'cross@example.com', kind: 'complaint' }])
  })

  test.each([
    ['an out-of-office reply', 'From: a@example.com\r\nSubject: Away\r\n\r\nI am away.'],
    ['nothing', ''],
    ['noise', '\u0000\u0001\r\n\r\n\u0002'],
  ])('%s is not a bounce', async (_, text) => {
    expect(await parseBounceEmail(Buffer.from(text))).toEqual([])
  })
})
