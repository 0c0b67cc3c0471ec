import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startStandins } from '#standins/standins.ts'

const ROOT = resolve(import.meta.dirname, '..')

test('a failed timer is emailed to the officers, with the settings of a server and without its database', async () => {
  const standins = await startStandins({ directory: '', port: 0, smtpPort: 0, persist: false, parseMailsAtOnce: true })
  try {
    const settings = parseEnv(readFileSync(join(ROOT, 'deploy/site.env.example'), 'utf8'))
    await promisify(execFile)(process.execPath, ['tools/notify-officers.ts', 'association-check'], {
      cwd: ROOT,
      env: { ...settings, SMTP_URL: standins.smtpUrl, DATABASE_URL: 'sqlite:/nowhere/association.db' },
    })
    const [email] = standins.mails('office@example.org')
    expect(email?.subject).toBe('Website alert: association-check has failed')
    expect(email?.text).toContain('journalctl -u association-check -n 50')
  } finally {
    await standins.close()
  }
})
