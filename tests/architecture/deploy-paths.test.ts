import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '#server/config/config.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const deployed = readdirSync(join(ROOT, 'deploy'))
const units = deployed.filter((file) => /\.(service|timer)$/.test(file))
const documents = [...deployed.map((file) => `deploy/${file}`), 'docs/running.md', 'UPGRADING.md', '.env.example']
const running = read('docs/running.md')
const unit = read('deploy/association.service')
const containerfile = read('deploy/Containerfile')

const SETTINGS = '/etc/association/site.env'
const ADMIN = '/usr/local/sbin/association-admin'
const BACKUPS = '/var/backups/association'

test('all files and documents agree on the paths of settings, code, data and backups', () => {
  const places = [
    /^\/opt\/association(\/current(\/.*)?|\/\d+\.\d+\.\d+|\/VERSION)?$/,
    /^\/etc\/association(\/site\.env)?$/,
    /^\/etc\/systemd\/system\/association(\.service\.d\/.+)?$/,
    /^\/etc\/nginx\/conf\.d\/association\.conf$/,
    /^\/etc\/cron\.d\/association$/,
    /^\/etc\/prometheus\/association-token$/,
    /^\/var\/lib\/association(\/.*)?$/,
    /^\/var\/cache\/association(\/compiled)?$/,
    /^\/var\/backups\/association(\/(before-\d+\.\d+\.\d+)?)?$/,
    /^\/var\/log\/(nginx|caddy)\/association(-error)?\.log$/,
    /^\/usr\/local\/sbin\/association-admin$/,
  ]
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/(?<![\w.-])\/(?:opt|etc|var|usr|srv|home)\/[\w./-]*association[\w./-]*/g)].map(
      ([path]) => `${file} ${path.replace(/\.$/, '')}`,
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((line) => !places.some((place) => place.test(line.split(' ')[1] ?? '')))).toEqual([])
})

test('units and cron jobs start in the code folder, with the settings, and never as root', () => {
  for (const file of documents) {
    const text = read(file)
    for (const [, folder] of text.matchAll(/^WorkingDirectory=(.*)$/gm))
      expect([file, folder]).toEqual([file, '/opt/association/current'])
    for (const [, settings] of text.matchAll(/(?:EnvironmentFile=|--env-file(?:-if-exists)?=)([\w./$-]+)/g))
      expect([SETTINGS, '/run/secrets/site.env', '$settings']).toContain(settings)
    expect(text).not.toMatch(/cd \/opt\/association\S* && (sudo )?np[mx] run(?! build)/)
  }
  for (const file of units.filter((name) => name.endsWith('.service'))) {
    const command = /^ExecStart=(.*)$/m.exec(read(`deploy/${file}`))?.[1] ?? ''
    if (!command.startsWith(`${ADMIN} `)) expect(read(`deploy/${file}`)).toMatch(/^User=association$/m)
    else expect(read(`deploy/${file}`)).not.toMatch(/^User=/m)
  }
  // Cron searches only two folders for programs, and what it runs as root must be the wrapper.
  const cron = [...running.matchAll(/^.*(?:[\d*]+ ){2}\* \* \* (.*)$/gm)].map(([, rest = '']) => rest)
  expect(cron.length).toBeGreaterThan(1)
  for (const line of cron) expect(line).toMatch(/^root (\/usr\/local\/sbin\/association-admin|\/usr\/bin\/docker) /)
  expect(read('deploy/association-admin')).toMatch(/^PATH=\/usr\/sbin:.*\nexport PATH$/m)
  expect(read('deploy/association-admin')).toContain(`settings=\${ASSOCIATION_SETTINGS:-${SETTINGS}}`)
})

test('deploy/install installs every unit and starts every timer, and each timer and OnFailure has its service', () => {
  const install = read('deploy/install')
  expect(install).toContain('install -m 644 "$source"/deploy/*.service "$source"/deploy/*.timer "$units"')
  expect(install).toContain(`admin=\${ASSOCIATION_ADMIN:-${ADMIN}}`)
  const started = /systemctl enable --now --quiet (.*)$/m.exec(install)?.[1]?.split(' ') ?? []
  expect(started.filter((name) => name.endsWith('.timer')).toSorted()).toEqual(
    units.filter((file) => file.endsWith('.timer')).toSorted(),
  )
  expect(running).toContain('sudo deploy/install --files')
  for (const file of units) {
    if (file.endsWith('.timer')) expect(units).toContain(file.replace('.timer', '.service'))
    for (const [, other = ''] of read(`deploy/${file}`).matchAll(/^OnFailure=(.*)$/gm))
      expect(units).toContain(other.replace(/@.*\.service/, '@.service'))
  }
  expect(read('deploy/association-check.service')).toContain(`ExecStart=${ADMIN} check\n`)
  // Row T49 measures this pause.
  const [, pause] = /^OnUnitInactiveSec=(\d+)s$/m.exec(read('deploy/association-backup.timer')) ?? []
  expect(read('tests/trust/rows/reliability/t49-backup.ts')).toContain(`PAUSE_MS = ${pause}_000`)
})

test('the backup folder is created for the site, writable by it, and the same everywhere', () => {
  expect(/^ExecStart=(.*)$/m.exec(read('deploy/association-backup.service'))?.[1]).toBe(`${ADMIN} backup ${BACKUPS}`)
  expect(/^ReadWritePaths=(.*)$/m.exec(unit)?.[1]).toBe(`-${BACKUPS}`)
  expect(running).toMatch(
    new RegExp(`^sudo install -d -m 700 -o association -g association (\\S+ )*${BACKUPS}( |$)`, 'm'),
  )
  expect(running.indexOf(`-g association /var/lib/association ${BACKUPS}`)).toBeLessThan(
    running.indexOf('sudo systemctl enable --now association'),
  )
  const config = readConfig(parseEnv(read('deploy/site.env.example')))
  expect(config.backup?.directory).toBe(BACKUPS)
})

test('a container has a persistent backup volume, and docs/running.md says how to make, check and restore backups there', () => {
  const { services, volumes } = parse(read('deploy/compose.yaml')) as {
    services: Record<string, { volumes: string[] }>
    volumes: Record<string, unknown>
  }
  expect(services['site']?.volumes).toContain('backups:/backups')
  expect(Object.keys(volumes)).toContain('backups')
  expect(containerfile).toMatch(/mkdir .*\/backups.* && chown node:node .*\/backups/)
  expect(containerfile).toMatch(/^VOLUME .*\/backups/m)
  expect(/BACKUP_DIR=(\S+)/.exec(containerfile)?.[1]).toBe('/backups')
  const admin = 'node --env-file=/run/secrets/site.env src/server/admin.ts'
  for (const words of [
    `exec site ${admin} backup`,
    `exec -T site ${admin} check`,
    `run --rm site ${admin} restore /backups`,
  ])
    expect(running).toContain(words)
})
