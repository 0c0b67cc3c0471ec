import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LogFile } from './log-file.ts'

test('a log is appended to, and never takes more than twice 10 MB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'))
  try {
    const path = join(folder, 'deep', 'site.log')
    write(path, 'first run\n', 1)
    write(path, 'second run\n', 1)
    expect(readFileSync(path, 'utf8')).toBe('first run\nsecond run\n')
    write(path, 'x'.repeat(1_000_000), 35)
    expect(statSync(path).size + statSync(`${path}.1`).size).toBeLessThan(24_000_000)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function write(path: string, text: string, times: number): void {
  const file = new LogFile(path)
  for (let time = 0; time < times; time += 1) file.write(Buffer.from(text))
  file.close()
}
