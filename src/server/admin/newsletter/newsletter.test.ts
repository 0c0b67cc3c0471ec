import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStandins, type Standins } from '#standins/standins.ts'
import { readConfig, type Config } from '#server/config/config.ts'
import { runCommand } from '../commands.ts'

let folder = ''
let config: Config
let standins: Standins

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'association-newsletter-'))
  standins = await startStandins({
    directory: folder,
    port: 0,
    smtpPort: 0,
    webhookSecret: 'whsec_standin',
    clockFile: null,
    persist: false,
  })
  config = readConfig({
    DATA_DIR: folder,
    STANDINS_URL: standins.url,
    SMTP_URL: standins.smtpUrl,
    MAIL_FROM: 'Physicians <office@example.org>',
  })
})
afterAll(async () => {
  await standins.close()
  rmSync(folder, { recursive: true, force: true })
})

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const code = await runCommand(['newsletter', ...args], config, (line) => void lines.push(line))
  return { code, output: lines.join('\n') }
}

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const FRONT_MATTER = '---\nname: December\nsubject: News of December\nsnippet: What is new.\n---\n'

describe('a newsletter, from its file to its subscribers', () => {
  test('is imported from Markdown, tested, and handed to the site to send', async () => {
    const file = write('december.md', `${FRONT_MATTER}## Clinic\n\nOpen on **Saturday**.`)
    expect(await run('import', file)).toEqual({
      code: 0,
      output: 'december is ready. Next: "newsletter preview december".',
    })
    expect((await run('list')).output).toContain('not sent    december  News of December')

    const { output } = await run('preview', 'december')
    const [page = '', text = ''] = output.split('\n')
    expect(readFileSync(page, 'utf8')).toContain('<strong>Saturday</strong>')
    expect(readFileSync(text, 'utf8')).toContain('Open on Saturday.')
    expect(output).toContain('It would go to 158 subscribers.')

    expect(await run('test', 'december', 'me@example.org')).toEqual({ code: 0, output: 'Sent to me@example.org.' })
    const [copy] = standins.mails('me@example.org')
    expect(copy?.subject).toBe('[Test] News of December')

    expect((await run('send', 'december')).output).toContain('would go to 158 subscribers')
    expect(standins.mails('reader001@example.org')).toEqual([])
    expect((await run('send', 'december', '--yes')).output).toContain('Sending to 158 subscribers.')
    expect(await run('send', 'december', '--yes')).toEqual({
      code: 1,
      output: 'It was already sent. No one receives it twice.',
    })
    expect((await run('status', 'december')).output).toBe('sending: 158 waiting')
    expect((await run('pause', 'december')).code).toBe(0)
    expect((await run('status', 'december')).output).toBe('paused (paused by an officer): 158 waiting')
    expect((await run('resume', 'december')).code).toBe(0)
    expect((await run('import', file)).output).toContain('was already sent')
  })

  test('keeps the design of imported HTML, without scripts', async () => {
    const file = write('design.html', `${FRONT_MATTER}<h1 style="color:#aa0000">Hi</h1><script>alert(1)</script>`)
    expect((await run('import', file)).code).toBe(0)
    const [page = ''] = (await run('preview', 'design')).output.split('\n')
    expect(readFileSync(page, 'utf8')).toContain('<h1 style="color:#aa0000">Hi</h1>')
    expect(readFileSync(page, 'utf8')).not.toContain('alert(1)')
  })

  test('a mistake is reported with file, line and fix, and changes nothing', async () => {
    const file = write('wrong.md', '---\nname: X\nsubject: Y\nsnippet: Z\nsentAt: soon\n---\nWords.')
    const { code, output } = await run('import', file)
    expect(code).toBe(1)
    expect(output).toContain('line 5, sentAt: use a UTC time such as')
    expect((await run('preview', 'wrong')).code).toBe(1)
  })

  test.each([
    [['import', 'email.doc'], 2],
    [['test', 'december', 'not-an-address'], 2],
    [['preview', 'nothing'], 1],
    [['send', 'nothing', '--yes'], 1],
    [['status', 'nothing'], 1],
    [['pause', 'nothing'], 1],
    [['dance'], 2],
  ])('%j is answered with a message', async (args, code) => {
    const result = await run(...args)
    expect(result.code).toBe(code)
    expect(result.output).not.toBe('')
  })
})

describe('subscribers', () => {
  test('are imported from a list; known, invalid and suppressed addresses are skipped', async () => {
    const file = write('people.txt', 'new@example.org\nreader001@example.org\nnot an address\n\nnew@example.org\n')
    const { output } = await run('subscribers', 'import', file)
    expect(output).toContain('Line 3 is skipped: "not an address". This is not an email address.')
    expect(output).toContain('1 added, 1 known, 0 unsubscribed or bounced, 1 unreadable.')
    expect(output).toContain('consent stated by the association today')
    expect((await run('subscribers')).output).toContain('159 subscribed')
  })

  test('the address for bounce events comes with its key', async () => {
    const { output } = await run('webhook')
    expect(output).toMatch(/\/api\/newsletter\/bounces\nHeader {3}Authorization: Bearer [\w-]{43}\n/)
  })
})
