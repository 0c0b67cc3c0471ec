import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStandins, type Standins } from '#standins/standins.ts'
import { readConfig, type Config } from '../config/config.ts'
import { runCommand } from './commands.ts'

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

async function run(...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = []
  const code = await runCommand(['newsletter', ...words], config, (line) => void lines.push(line))
  return { code, said: lines.join('\n') }
}

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const FACTS = '---\nname: December\nsubject: News of December\nsnippet: What is new.\n---\n'

describe('a newsletter, from its file to its readers', () => {
  test('is taken from Markdown, tried out, and given to the site to send', async () => {
    const file = write('december.md', `${FACTS}## Clinic\n\nOpen on **Saturday**.`)
    expect(await run('import', file)).toEqual({
      code: 0,
      said: 'december is ready. Next: "newsletter preview december".',
    })
    expect((await run('list')).said).toContain('not sent    december  News of December')

    const { said } = await run('preview', 'december')
    const [page = '', text = ''] = said.split('\n')
    expect(readFileSync(page, 'utf8')).toContain('<strong>Saturday</strong>')
    expect(readFileSync(text, 'utf8')).toContain('Open on Saturday.')
    expect(said).toContain('It would go to 158 readers.')

    expect(await run('test', 'december', 'me@example.org')).toEqual({ code: 0, said: 'Sent to me@example.org.' })
    const [copy] = standins.mails('me@example.org')
    expect(copy?.subject).toBe('[Test] News of December')

    expect((await run('send', 'december')).said).toContain('would go to 158 readers')
    expect(standins.mails('reader001@example.org')).toEqual([])
    expect((await run('send', 'december', '--yes')).said).toContain('It goes to 158 readers.')
    expect(await run('send', 'december', '--yes')).toEqual({
      code: 1,
      said: 'It was sent before, and nobody gets it twice.',
    })
    expect((await run('status', 'december')).said).toBe('sending: 158 waiting')
    expect((await run('pause', 'december')).code).toBe(0)
    expect((await run('status', 'december')).said).toBe('paused (paused by an officer): 158 waiting')
    expect((await run('resume', 'december')).code).toBe(0)
    expect((await run('import', file)).said).toContain('was sent already')
  })

  test('keeps the design of HTML that was made elsewhere, and nothing that runs', async () => {
    const file = write('design.html', `${FACTS}<h1 style="color:#aa0000">Hi</h1><script>alert(1)</script>`)
    expect((await run('import', file)).code).toBe(0)
    const [page = ''] = (await run('preview', 'design')).said.split('\n')
    expect(readFileSync(page, 'utf8')).toContain('<h1 style="color:#aa0000">Hi</h1>')
    expect(readFileSync(page, 'utf8')).not.toContain('alert(1)')
  })

  test('a mistake names file, line and cure, and changes nothing', async () => {
    const file = write('wrong.md', '---\nname: X\nsubject: Y\nsnippet: Z\nsentAt: soon\n---\nWords.')
    const { code, said } = await run('import', file)
    expect(code).toBe(1)
    expect(said).toContain('line 5, sentAt: use an instant such as')
    expect((await run('preview', 'wrong')).code).toBe(1)
  })

  test.each([
    [['import', 'letter.doc'], 2],
    [['test', 'december', 'nobody'], 2],
    [['preview', 'nothing'], 1],
    [['send', 'nothing', '--yes'], 1],
    [['status', 'nothing'], 1],
    [['pause', 'nothing'], 1],
    [['dance'], 2],
  ])('%j is answered with a sentence', async (words, code) => {
    const answer = await run(...words)
    expect(answer.code).toBe(code)
    expect(answer.said).not.toBe('')
  })
})

describe('readers', () => {
  test('are taken from a list; who is known, unreadable or asked not to be written to is left out', async () => {
    const file = write('people.txt', 'new@example.org\nreader001@example.org\nnot an address\n\nnew@example.org\n')
    const { said } = await run('subscribers', 'import', file)
    expect(said).toContain('Line 3 is left out: "not an address". This is not an email address.')
    expect(said).toContain('1 added, 1 known, 0 asked not to be written to, 1 unreadable.')
    expect(said).toContain('consent stated by the association today')
    expect((await run('subscribers')).said).toContain('159 subscribed')
  })

  test('the address for a provider’s notices comes with its key', async () => {
    const { said } = await run('webhook')
    expect(said).toMatch(/\/api\/newsletter\/bounces\nHeader {3}Authorization: Bearer [\w-]{43}\n/)
  })
})
